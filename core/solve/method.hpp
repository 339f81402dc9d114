// The interface of the methods by which the solver proves values. Each method has a folder.
#pragma once

#include <cstdint>
#include <vector>

#include "rules/position.hpp"
#include "solve/certificate/certificate_writer.hpp"
#include "solve/progress_estimate.hpp"
#include "solve/proof_number/proof_table.hpp"
#include "support/snapshot.hpp"
#include "support/work_limit.hpp"

namespace noughts {

// Proven bounds of the value for the side to move: -1 (loss), 0 (draw) and 1 (win).
struct SolveResult {
    int lower = -1, upper = 1;
    int move = NO_CELL;  // legal; keeps the lower bound, or resists if all moves lose; NO_CELL if the game is over
    bool move_is_proven = false;  // if false, `move` is a guess: no move is known to keep the lower bound
    std::uint64_t nodes = 0;
    double seconds = 0;
    ProofNumbers numbers{0, 0};  // of the last question, if proof-number search left it open

    bool is_solved() const { return lower == upper; }
    bool can_win(Side side, Side mover) const { return side == mover ? lower == 1 : upper == -1; }
    bool cannot_win(Side side, Side mover) const { return side == mover ? upper < 1 : lower > -1; }
    // Whether the bounds answer if `attacker` can force a win; for NO_SIDE, whether they give the value.
    bool answers(Side attacker, Side mover) const {
        return attacker == NO_SIDE ? is_solved() : can_win(attacker, mover) || cannot_win(attacker, mover);
    }
};

struct SolveProgress {
    std::uint64_t nodes = 0;     // of all runs
    double seconds = 0;          // of this run
    Side attacker = X;           // the question: can this side force a win?
    ProofNumbers numbers{0, 0};  // of the position, so far; both 0 in an exhaustive search
    ProgressEstimate share;
    TableUse table;
    // The moves to the current position of the search; only the first ones in an exhaustive search.
    std::vector<int> path;
};

// The answer to the question whether a side can force a win, or stop all lines of the other.
enum class Answer { UNKNOWN, YES, NO };

// Limit for certificates of narrow wins and of exhaustive searches: longer ones are of no use.
inline constexpr std::uint64_t MOST_CERTIFICATE_NODES = 2'000'000;

// A run of the solver: the question, the bounds so far, and the bound on work.
struct SolveTask {
    Side attacker;  // solve only whether this side can force a win; NO_SIDE stands for the value
    Side mover;
    SolveResult& result;
    WorkLimit& limit;

    bool is_solved() const { return result.answers(attacker, mover); }
};

// A method works on one position at a time and keeps its tables between runs and positions.
class Method {
  public:
    virtual ~Method() = default;

    // Turns to another position of the same game and keeps the tables.
    virtual void start_from(const Position& position) = 0;

    // Narrows the bounds in `task.result` until the task is solved, the method has nothing left to try, or the limit
    // ends the work. Sets `task.result.move` to a move that keeps the lower bound, if it finds one. Continues where the
    // last call ended.
    virtual void solve(SolveTask& task) = 0;

    // Fills in the state of the search, which may be running. `nodes` counts this run, `progress.nodes` all runs.
    virtual void report(SolveProgress& progress, std::uint64_t nodes) const = 0;

    // Writes the certificate of claims that `solve` has proven. Throws CertificateError and Interrupted.
    virtual Certificate prove(const Claims& claims, CertificateTask& task) = 0;

    // A snapshot has one part for each method of a solver. `load` keeps existing entries; it throws InvalidSnapshot,
    // and then leaves the tables empty, or as they were if the part belongs to another game.
    virtual void save(SnapshotWriter& out) const = 0;
    virtual void load(SnapshotReader& in) = 0;
    virtual void clear() = 0;

    // Whether the child of a fork may continue the search during which the process was forked.
    virtual bool survives_fork() const { return true; }
};

}  // namespace noughts
