// How far estimates were off where a search looked deeper, so that estimates of similar positions can be corrected.
#pragma once

#include <cstdint>
#include <vector>

#include "rules/position.hpp"

namespace noughts {

// Positions are similar when the same blocks are won, or when the side to move has been sent to a block with the same
// marks: each kind keeps a running mean of its errors, and a position is corrected by half the sum of both.
class Corrections {
  public:
    explicit Corrections(const Game& game);

    int of(const Position& position) const;  // to be added to the estimate
    void learn(const Position& position, int error,
               int depth);  // a search of this depth found so much more than the estimate

  private:
    std::size_t by_won_blocks(const Position& position) const;
    std::size_t by_sending(const Position& position) const;

    std::vector<std::int32_t> won_, sent_;  // in units of 1/256; empty in games of one block
};

}  // namespace noughts
