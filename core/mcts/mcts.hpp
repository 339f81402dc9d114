// Monte-Carlo tree search with PUCT, the engine's alternative to alpha-beta. It collects batches of leaves with virtual
// losses, has them evaluated, and backs up their values; certain results are backed up as proofs (MCTS-solver).
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
    int threads = 1;             // for the evaluation of leaves; results do not depend on their number
    std::size_t megabytes = 64;  // for the tree; when it is full, the search continues without growing it
    EvaluatorKind evaluator = EvaluatorKind::ROLLOUTS;
    NetworkChoice network = {};
    int batch = 1;           // number of leaves that are evaluated together
    int exploration = 2048;  // in units of 1 / 1024
    std::uint64_t seed = 0;
};

// A position that waits for its value.
struct Leaf {
    Position position;            // unset if the leaf was evaluated at once
    std::vector<TreeIndex> path;  // from the root to the leaf
    std::uint64_t number = 0;     // of the simulation
    int value = 0;                // for the side to move
    WeightedMoves moves;          // set only by a caller's function
};

// Sets the values and the moves of leaves. Returns false to end the search.
using EvaluateLeaves = std::function<bool(std::span<Leaf>)>;

class Mcts {
  public:
    // Throws std::invalid_argument if the bytes are not a network, and std::bad_alloc.
    explicit Mcts(MctsOptions options);

    // Like Engine::search. `scale` is the scale of the scores. If the evaluator is FUNCTION, `evaluate` is called in
    // the calling thread. In the report, `nodes` counts simulations, and `depth` is their mean number of plies. With
    // the same seed and a limit on nodes, the result is deterministic.
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
