// Defence against forks: moves that make two threats at once.
#pragma once

#include <vector>

#include "rules/position.hpp"

namespace noughts {

// A pair is a line that lacks two cells of one side and has no mark of the other. If the opponent of the side to move
// fills a cell that two of its pairs share, it threatens to complete a line in two places. The side to move loses to
// that within four plies unless its move leaves no such cell or makes a threat. Not for games with gravity, where a
// shared cell may not be playable.
class ForkDefence {
  public:
    explicit ForkDefence(const Game& game)
        : is_pair_(static_cast<std::size_t>(game.cells()) * game.cells()),
          cells_(game.cells()),
          replies_(game.cells()) {}

    // Whether the opponent threatens a fork. If so, replies() are the only moves that do not lose within four plies.
    // Neither side may be able to complete a line at once. Takes time linear in the number of lines.
    bool find(const Position& position);
    const CellSet& replies() const { return replies_; }
    bool has_reply() const { return has_reply_; }

  private:
    struct Pair {
        Cell a, b;  // a < b
    };
    struct Uses {
        std::uint16_t pairs = 0;       // number of pairs that contain the cell
        std::uint16_t twice_used = 0;  // number of forks through the cell: partners that are in two pairs
    };

    void find_pairs(const Position& position, Side side);
    bool prevents_all(Cell cell) const;
    void forget_pairs();
    std::vector<bool>::reference is_pair(Pair pair) {
        return is_pair_[static_cast<std::size_t>(pair.a) * cells_.size() + pair.b];
    }
    void add_reply(Cell cell) {
        replies_.insert(cell);
        has_reply_ = true;
    }

    std::vector<Pair> pairs_;              // the opponent's pairs, each once
    std::vector<bool> is_pair_;            // by two cells; all false between calls
    std::vector<Uses> cells_;              // all zero between calls
    int twice_used_ = 0, often_used_ = 0;  // number of cells in exactly two pairs, and in more
    CellSet replies_;
    bool has_reply_ = false;
};

}  // namespace noughts
