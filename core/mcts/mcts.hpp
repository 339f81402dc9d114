// Monte-Carlo tree search with PUCT: the second search beside alpha-beta. It collects batches of leaves with virtual
// losses, has them evaluated, and backs up their values; results that are certain are backed up as proofs
// (MCTS-solver).
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "mcts/evaluator.hpp"
#include "mcts/tree.hpp"
#include "search/engine.hpp"
#include "support/worker_pool.hpp"

namespace noughts {

struct MctsOptions {
    int threads = 1;             // that evaluate leaves; results do not depend on their number
    std::size_t megabytes = 64;  // of the tree; when it is full, the search continues without growing it
    EvaluatorKind evaluator = EvaluatorKind::ROLLOUTS;
    NetworkChoice network = {};
    int batch = 1;           // leaves that are collected before they are evaluated
    int exploration = 2048;  // in units of 1 / 1024
    std::uint64_t seed = 0;
};

// A position that waits for its value.
struct Leaf {
    Position position;            // unless it was evaluated at once
    std::vector<TreeIndex> path;  // from the root to it
    std::uint64_t number = 0;     // of the simulation
    int value = 0;                // for the side to move
    WeightedMoves moves;          // from a function only
};

// Sets the values and the moves of leaves; false ends the search.
using EvaluateLeaves = std::function<bool(std::span<Leaf>)>;

class Mcts {
  public:
    // Throws std::invalid_argument when the bytes of the network are something else, and std::bad_alloc.
    explicit Mcts(MctsOptions options);

    // As Engine::search. `scale` is that of the scores; `evaluate` is called in the thread of the caller if the
    // evaluator is FUNCTION. The report's nodes are simulations, its depth their mean number of plies. The same seed
    // and a limit on nodes always give the same answer.
    Report search(const Position& position, const Limits& limits, int lines, const Progress& progress,
                  const Interrupt& interrupt, const Root& root, int scale, const EvaluateLeaves& evaluate);

    // Stops a running search within a few milliseconds. May be called from any thread.
    void stop() { stop_.store(true, std::memory_order_relaxed); }
    const MctsOptions& options() const { return options_; }

  private:
    friend class MctsRun;

    MctsOptions options_;
    Tree tree_;
    WorkerPool pool_;
    std::atomic<bool> stop_{false};
};

}  // namespace noughts
