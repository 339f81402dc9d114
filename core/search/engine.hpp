// The playing search: iterative deepening, principal variation search, a shared table, any number of threads.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "rules/position.hpp"
#include "rules/symmetry.hpp"
#include "search/evaluate.hpp"
#include "search/moves_in_progress.hpp"
#include "search/network.hpp"
#include "search/transposition_table.hpp"
#include "support/work_limit.hpp"
#include "tactics/threats.hpp"

namespace noughts {

// One move of the root with what the search thinks of it.
struct RootLine {
    int move = NO_CELL;
    int score = 0;        // for the side to move at the root
    bool proven = false;  // nothing that the score rests on was estimated or pruned
    std::vector<int> pv;
};

// What is known about a search before it begins, and how it may end.
struct Root {
    struct Known {
        int move;
        int score;  // proven: decided, or 0 for a draw
    };
    const Symmetry* symmetry = nullptr;  // of symmetric moves only one is searched; must outlive the search
    std::vector<Known> known;            // moves that need no search
    bool prompt = false;  // a limit in seconds need not be used up when all moves but one are proven to lose
};

struct Report {
    int depth = 0;
    std::uint64_t nodes = 0;
    double seconds = 0;
    int hashfull = 0;
    std::vector<RootLine> lines;  // best first
};

// Called after each finished depth, and with each better move found late in one; false stops the search.
using Progress = std::function<bool(const Report&)>;

class Worker;

class Engine {
  public:
    Engine(int threads, std::size_t megabytes);
    ~Engine();

    // Returns the best `lines` moves; symmetric ones have the same score. The position must not be over; it is left as
    // it was. One thread with a limit on depth or nodes, on a fresh table, always gives the same answer. Throws
    // std::system_error when the threads cannot be started. In a child that `progress` forked, the search continues
    // with one thread.
    Report search(const Position& position, const Limits& limits, int lines, const Progress& progress,
                  const Interrupt& interrupt, const Root& root = {});

    // Asks a running search to end; it does within a few milliseconds. From any thread.
    void stop() { stop_.store(true, std::memory_order_relaxed); }
    void clear();
    int threads() const { return threads_; }

  private:
    Judge& judge_of(int thread, const Game& game);
    static Report best_of(std::span<const std::unique_ptr<Worker>> workers);

    int threads_;
    Table table_;
    std::unique_ptr<Busy> busy_;
    std::vector<Judge> judges_;  // one a thread, kept for the rows it remembers
    std::atomic<bool> stop_{false};
};

}  // namespace noughts
