// Estimates the size of a depth-first search while it is running.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace noughts {

// Watches the nodes near the root. Each finished node shows the ratio between the size of its subtree and the part that
// was done after its first move, its second move and so on. These ratios, from nodes at the same level or at deeper
// levels where the same side moves, extrapolate the sizes of the nodes on the current path, from the bottom up: (work
// before the current move + estimated size of the current move) * ratio.
class TreeEstimate {
  public:
    static constexpr int QUESTIONS = 2;

    // Starts a search from a node at `level` (its number of marks). Ratios from earlier searches at this level for the
    // same question are kept.
    void start(int level, int watched_levels, int question);
    bool watches(int level) const { return level < end_; }

    // Calls for each watched node, in this order: `enter`, `begin_move` for each move, then `leave`, or `abandon` if
    // the node was not finished. After the limit ends a search, no more calls are needed. `nodes` counts the nodes
    // searched so far.
    void enter(int level, std::uint64_t nodes);
    void begin_move(int move, std::uint64_t nodes);
    void leave(std::uint64_t nodes);
    void abandon() { --depth_; }

    double nodes_left(std::uint64_t nodes) const;  // in the search; negative if nothing is known yet
    // The moves to the current node, up to the first node that is not watched.
    std::vector<int> path() const;

  private:
    static constexpr std::size_t MOST_MOVES = 16;  // the last entry also stands for all later moves

    struct Ratio {
        double count = 0, size = 0, done = 0;  // sums over finished nodes, so that large nodes weigh more
        void add(const Ratio& other);
    };
    struct Node {
        int level = 0, move = -1;
        std::uint64_t start = 0;
        std::vector<std::uint64_t> starts;  // number of nodes at the start of each move so far
    };
    // By level, then by the number of finished moves, less one.
    using Ratios = std::vector<std::array<Ratio, MOST_MOVES>>;
    Ratio ratio(int level, std::size_t moves) const;

    int first_ = -1, end_ = -1, question_ = 0;
    std::size_t depth_ = 0;   // nodes on the current path
    std::vector<Node> path_;  // has entries beyond depth_, whose memory is reused
    std::array<Ratios, QUESTIONS> ratios_;
};

}  // namespace noughts
