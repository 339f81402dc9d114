// The playing engine: iterative deepening and principal variation search, by any number of threads with a shared table.
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

// A root move with its score and principal variation.
struct RootVariation {
    Cell move = NO_CELL;
    int score = 0;        // for the side to move at the root
    bool proven = false;  // the score depends on no estimate and no pruning
    std::vector<Cell> pv;
};

// The variation of a symmetric move: `image` maps all its moves.
inline RootVariation mapped(RootVariation line, const Permutation& image) {
    for (Cell& cell : line.pv) cell = image[cell];
    line.move = line.pv.front();
    return line;
}

// Facts about the root that the caller knows, and conditions for ending the search.
struct Root {
    struct Known {
        Cell move;
        int score;  // proven: decided, or 0 for a draw
    };
    const Symmetry* symmetry = nullptr;  // only one of symmetric moves is searched; must outlive the search
    std::vector<Known> known;            // moves that need no search
    bool prompt = false;  // the search is for a player: end soon once all moves but one are proven to lose
    double target = 0;    // average seconds for a move, see TimeManager; 0 to use all the time
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
    // Throws std::invalid_argument if the bytes are not a network.
    Engine(int threads, std::size_t megabytes, NetworkChoice network = std::nullopt);
    ~Engine();

    // Returns the best `lines` moves; symmetric moves have the same score. The position must not be over; it is not
    // changed. With one thread, a limit on depth or nodes and a fresh table, the result is deterministic. Throws
    // std::system_error if threads cannot be started, and std::invalid_argument if the network does not fit the game.
    // If `progress` forks the process, the search continues in the child with one thread.
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
    std::vector<NetworkEvaluator> evaluators_;            // one for each thread, kept for their caches
    std::vector<std::unique_ptr<BlockEndings>> endings_;  // one for each thread, in games that have such endings
    std::shared_ptr<const Game> endings_game_;
    std::atomic<bool> stop_{false};
};

}  // namespace noughts
