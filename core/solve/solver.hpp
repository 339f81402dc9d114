// The solver: what a position is worth, proven, or the bounds that could be proven within the limits.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "solve/exhaustive_solver.hpp"
#include "solve/proof_number_search.hpp"

namespace noughts {

// Values are -1 (loss), 0 (draw) and 1 (win) for the side to move.
struct SolveResult {
    int lower = -1, upper = 1;
    int move = NO_CELL;  // legal unless the game is over: keeps the lower bound, or resists when all moves lose
    bool move_is_proven = false;  // false where no move is known to keep the lower bound, and `move` is a guess
    std::uint64_t nodes = 0;
    double seconds = 0;

    bool is_solved() const { return lower == upper; }
};

struct SolveProgress {
    std::uint64_t nodes = 0;
    double seconds = 0;
    Side attacker = X;     // the question: can this side force a win?
    ProofNumbers numbers;  // of the answer, so far; both 0 where there are none, in a search to the end of the game
    int hashfull = 0;
    std::vector<int> line;  // where the search is
};

class Solver {
  public:
    // Called some four times a second; false ends the work.
    using Progress = std::function<bool(const SolveProgress&)>;

    // The symmetry must outlive the solver.
    Solver(const Position& position, const Symmetry& symmetry, std::size_t megabytes, ProofTechniques techniques = {});

    // Goes on where the last call, or the one before a save, had to end. The position is left as it was.
    SolveResult solve(const Limits& limits, const Progress& progress = {}, const Interrupt& interrupt = {});

    bool is_solved() const { return solved_.is_solved(); }
    bool is_of(const Game& game) const { return &position_.game() == &game; }

    // Turns to another position of the same game and keeps the table. False, and nothing is changed, where the method
    // of this game cannot: then a new solver is needed.
    bool turn_to(const Position& position);

    // The claims of a certificate, see docs/proofs.md; no text when interrupted. The position must be solved, and not
    // over.
    struct Claims {
        std::string text;
        std::vector<Permutation> symmetries;  // those the text refers to by number
    };
    // Throws std::runtime_error, with the reason, when it would be too long.
    Claims certificate(const Interrupt& interrupt = {});

    // Ends the solve or the certificate that is under way, or else the next one; from any thread.
    void stop() { stop_.store(true, std::memory_order_relaxed); }

    // What was found out so far, to go on with later. May be called from a progress report. `load` throws
    // InvalidSnapshot.
    void save(SnapshotWriter& out) const;
    void load(SnapshotReader& in);

  private:
    enum Answer { UNKNOWN, YES, NO };

    SolveProgress progress_of(const WorkLimit& limit) const;
    Interrupt or_stopped(const Interrupt& interrupt);
    void solve_to_the_end(WorkLimit& limit);
    void solve_by_proof(WorkLimit& limit);
    Claims certificate_to_the_end(WorkLimit& limit);
    bool second_player_cannot_win() const;
    void ask(Side attacker, std::uint64_t slice, WorkLimit& limit);
    void conclude();
    int find_move(WorkLimit& limit);

    Position position_;
    ProofTable table_;
    ProofNumberSearch search_;
    std::unique_ptr<ExhaustiveSolver> exhaustive_;  // where a search to the end of the game is the better method
    PerSide<Answer> can_win_ = {{UNKNOWN, UNKNOWN}};
    SolveResult solved_;
    std::atomic<bool> stop_{false};
};

}  // namespace noughts
