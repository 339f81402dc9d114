// The solver: proves the value of a position, or bounds of it within the limits.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "solve/breaker/blocking_search.hpp"
#include "solve/certificate/certificate_writer.hpp"
#include "solve/exhaustive/exhaustive_solver.hpp"
#include "solve/narrow_win/narrow_win_search.hpp"
#include "solve/parallel/search_team.hpp"
#include "solve/proof_number/proof_estimate.hpp"
#include "solve/proof_number/proof_number_search.hpp"
#include "solve/work_share.hpp"

namespace noughts {

// Values are -1 (loss), 0 (draw) and 1 (win) for the side to move.
struct SolveResult {
    int lower = -1, upper = 1;
    int move = NO_CELL;           // legal: keeps the lower bound, or resists when all moves lose; NO_CELL when over
    bool move_is_proven = false;  // if false, no move is known to keep the lower bound, and `move` is a guess
    std::uint64_t nodes = 0;
    double seconds = 0;
    ProofNumbers numbers{0, 0};  // of the last question, if it was searched by proof numbers and is open

    bool is_solved() const { return lower == upper; }
    bool can_win(Side side, Side mover) const { return side == mover ? lower == 1 : upper == -1; }
    bool cannot_win(Side side, Side mover) const { return side == mover ? upper < 1 : lower > -1; }
};

struct SolveProgress {
    std::uint64_t nodes = 0;
    double seconds = 0;
    Side attacker = X;     // the question: can this side force a win?
    ProofNumbers numbers;  // of the position, so far; both 0 in an exhaustive search, which has none
    WorkShare share;
    TableUse table;
    std::vector<int> line;  // the moves to where the search is; an exhaustive search tells only the first ones
};

class Solver {
  public:
    // Called about four times a second; false ends the work.
    using Progress = std::function<bool(const SolveProgress&)>;
    using CertificateReport = std::function<bool(const CertificateProgress&)>;

    // The symmetry must outlive the solver. The value does not depend on the number of threads.
    Solver(const Position& position, const Symmetry& symmetry, std::size_t megabytes, int threads = 1,
           ProofTechniques techniques = {});

    // Continues where the last call, or the one before a save, ended.
    SolveResult solve(const Limits& limits, const Progress& progress = {}, const Interrupt& interrupt = {});

    // From now on, solves only whether `attacker` can force a win; the certificate has one claim, that it can or that
    // its opponent can draw. NO_SIDE stands for the value, as at first.
    void ask_only(Side attacker) { question_ = attacker; }

    // Whether the value, or the answer to the only question, is known.
    bool is_solved() const;
    bool is_of(const Game& game) const { return &position_.game() == &game; }

    // Turns to another position of the same game and keeps the table. Returns false, and changes nothing, if the search
    // method of this game cannot do that; then a new solver is needed.
    bool turn_to(const Position& position);

    // The position must be solved, and not over. Throws CertificateError when the certificate would be too long or
    // `stop` was called, and Interrupted.
    Certificate certificate(const Interrupt& interrupt = {}, const CertificateReport& report = {});

    // Ends the running solve or certificate, or else the next one. May be called from any thread.
    void stop() { stop_.store(true, std::memory_order_relaxed); }

    // Saves the table, to continue later. May be called from a progress report. `load` throws InvalidSnapshot.
    void save(SnapshotWriter& out) const;
    void load(SnapshotReader& in);

  private:
    enum class Answer { UNKNOWN, YES, NO };

    // For static games, where draw arguments and forced wins settle most positions.
    struct ByProofNumbers {
        ProofTable table;
        SearchTeam<ProofNumberSearch> team;
        PerSide<Answer> can_win;
        SearchTeam<BlockingSearch> blocking;                               // formed where it applies
        PerSide<Answer> can_block = {{Answer::UNKNOWN, Answer::UNKNOWN}};  // the other side's lines, by that search
        bool is_blocking = false;                                          // that search is running

        ByProofNumbers(const Position& position, const Symmetry& symmetry, std::size_t megabytes, int threads,
                       ProofTechniques techniques);
        void start_from(const Position& position, const Symmetry& symmetry, int threads, ProofTechniques techniques);
        WorkShare share(std::uint64_t nodes) const;
    };

    // Before an exhaustive search, where won blocks stay open.
    struct ByNarrowWins {
        NarrowWinSearch search;
        PerSide<std::uint64_t> nodes = {{0, 0}};  // spent on the wins of either side
        Side winner = NO_SIDE;
        bool is_running = false;
    };

    SolveProgress progress_of(const WorkLimit& limit);
    void solve_exhaustively(WorkLimit& limit);
    void look_for_narrow_wins(WorkLimit& limit);
    void look_for_narrow_win(Side attacker, std::uint64_t share, WorkLimit& limit);
    void solve_by_proof_numbers(WorkLimit& limit);
    void ask(Side attacker, std::uint64_t share, WorkLimit& limit);
    bool may_block(Side side) const;
    void ask_blocking(Side attacker, std::uint64_t share, WorkLimit& limit);
    void conclude();
    int find_move(WorkLimit& limit);
    int find_blocking_move(WorkLimit& limit);
    bool is_claimed_by_block(Side prover) const;
    bool second_player_cannot_win() const;
    void write_claims(CertificateWriter& writer) const;
    Certificate write_by_proof_numbers(WorkLimit& limit, const CertificateWriter*& writing);
    void load_narrow_wins(SnapshotReader& in);

    Position position_;
    const Symmetry& symmetry_;
    std::unique_ptr<ByProofNumbers> by_proof_numbers_;  // this one or the other
    std::unique_ptr<ExhaustiveSolver> exhaustive_;
    std::unique_ptr<ByNarrowWins> by_narrow_wins_;  // if any, first
    Side question_ = NO_SIDE;
    SolveResult result_;
    SteadyShare share_;
    std::atomic<bool> stop_{false};
};

}  // namespace noughts
