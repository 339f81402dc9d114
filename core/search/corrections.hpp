// Correction history: errors of estimates that searches found, used to correct estimates of similar positions.
#pragma once

#include <cstdint>
#include <vector>

#include "rules/position.hpp"

namespace noughts {

// Positions are similar if the same blocks are won, or if the side to move has been sent to a block with the same
// marks. Each kind has a running mean of its errors, and an estimate is corrected by half the sum of both.
class Corrections {
  public:
    explicit Corrections(const Game& game);

    int of(const Position& position) const;  // to be added to the estimate
    // A search of the given depth found a score that was higher than the estimate by `error`.
    void learn(const Position& position, int error, int depth);

  private:
    std::size_t by_won_blocks(const Position& position) const;
    std::size_t by_sending(const Position& position) const;

    std::vector<std::int32_t> won_, sent_;  // in units of 1/256; empty in games of one block
};

}  // namespace noughts
