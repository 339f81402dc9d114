// The playing engine: iterative deepening, principal variation search, a shared table, any number of threads.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "rules/position.hpp"
#include "rules/symmetry.hpp"
#include "search/moves_in_progress.hpp"
#include "search/network.hpp"
#include "search/transposition_table.hpp"
#include "support/work_limit.hpp"
#include "tactics/block_endings.hpp"

namespace noughts {

// A move of the root with the result of its search.
struct RootVariation {
    Cell move = NO_CELL;
    int score = 0;        // for the side to move at the root
    bool proven = false;  // the score does not depend on estimates or pruning
    std::vector<Cell> pv;
};

// The same line for a move that is symmetric to the line's.
inline RootVariation mapped(RootVariation line, const Permutation& image) {
    for (Cell& cell : line.pv) cell = image[cell];
    line.move = line.pv.front();
    return line;
}

// Facts about the root that the caller knows, and how the search may end.
struct Root {
    struct Known {
        Cell move;
        int score;  // proven: decided, or 0 for a draw
    };
    const Symmetry* symmetry = nullptr;  // of symmetric moves only one is searched; must outlive the search
    std::vector<Known> known;            // moves that need no search
    bool prompt = false;                 // a player's search: soon ends when all moves but one are proven to lose
    double target = 0;  // seconds that a move should take on average, see TimeManager; 0 for all the time
};

struct Report {
    int depth = 0;
    std::uint64_t nodes = 0;
    double seconds = 0;
    int hashfull = 0;
    std::vector<RootVariation> lines;  // best first
};

// Called after each finished depth; returning false stops the search.
using Progress = std::function<bool(const Report&)>;

class RootSearch;

class Engine {
  public:
    // Throws std::invalid_argument when the bytes of the network are something else.
    Engine(int threads, std::size_t megabytes, NetworkChoice network = std::nullopt);
    ~Engine();

    // Returns the best `lines` moves; symmetric ones have the same score. The position must not be over; it is left as
    // it was. One thread with a limit on depth or nodes, on a fresh table, always gives the same answer. Throws
    // std::system_error when the threads cannot be started, and std::invalid_argument when the network is not one for
    // the game. In a child that `progress` forked, the search continues
    // with one thread.
    Report search(const Position& position, const Limits& limits, int lines, const Progress& progress,
                  const Interrupt& interrupt, const Root& root = {});

    // Stops a running search within a few milliseconds. May be called from any thread.
    void stop() { stop_.store(true, std::memory_order_relaxed); }
    void clear();
    int threads() const { return threads_; }
    const NetworkChoice& network() const { return network_; }

  private:
    NetworkEvaluator& evaluator_for(int thread, const Game& game);
    void prepare_endings(const std::shared_ptr<const Game>& game);
    static Report best_of(std::span<const std::unique_ptr<RootSearch>> searches);

    int threads_;
    NetworkChoice network_;
    TranspositionTable table_;
    std::unique_ptr<MovesInProgress> in_progress_;
    std::vector<NetworkEvaluator> evaluators_;            // one per thread, kept for their caches
    std::vector<std::unique_ptr<BlockEndings>> endings_;  // the same, in games that have them
    std::shared_ptr<const Game> endings_game_;
    std::atomic<bool> stop_{false};
};

}  // namespace noughts
