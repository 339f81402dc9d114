// Estimates the size of a depth-first search while it runs.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace noughts {

// Watches the nodes near the root. Each one that is finished shows how its size compares with the part that was done
// after its first move, its second and so on. These ratios, from nodes at the same level or at deeper ones where the
// same side moves, extrapolate the nodes of the current path from the bottom up: the part done before, plus the
// estimated size of the current move, times the ratio.
class TreeEstimate {
  public:
    static constexpr int QUESTIONS = 2;

    // A search begins from a node at `level` (its number of marks). Ratios of earlier searches from this level for the
    // same question are kept.
    void start(int level, int watched_levels, int question);
    bool watches(int level) const { return level < end_; }

    // For watched nodes, in this order: enter, begin_move for each move, and leave, or abandon if the node is not
    // finished. A search that the limit ended just stops calling. `nodes` is the number searched so far.
    void enter(int level, std::uint64_t nodes);
    void begin_move(int move, std::uint64_t nodes);
    void leave(std::uint64_t nodes);
    void abandon() { --depth_; }

    double nodes_left(std::uint64_t nodes) const;  // of the search; negative if there is nothing to tell from
    // The moves that lead to where the search is, as far as every node between was watched.
    std::vector<int> path() const;

  private:
    static constexpr std::size_t MOST_MOVES = 16;  // the last place stands for all later moves, too

    struct Ratio {
        double count = 0, size = 0, done = 0;  // sums over finished nodes, so large ones weigh more
        void add(const Ratio& other);
    };
    struct Node {
        int level = 0, move = -1;
        std::uint64_t start = 0;
        std::vector<std::uint64_t> starts;  // of the moves so far
    };
    using Ratios = std::vector<std::array<Ratio, MOST_MOVES>>;  // by level, then by the number of moves done, less one
    Ratio ratio(int level, std::size_t moves) const;

    int first_ = -1, end_ = -1, question_ = 0;
    std::size_t depth_ = 0;   // nodes on the current path
    std::vector<Node> path_;  // longer than depth_: kept for their memory
    std::array<Ratios, QUESTIONS> ratios_;
};

}  // namespace noughts
