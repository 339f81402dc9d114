// Correction history: remembers how far estimates were from search results, and corrects the estimates of similar
// positions.
#pragma once

#include <cstdint>
#include <vector>

#include "rules/position.hpp"

namespace noughts {

// Two positions are similar if the same blocks are won, or if the side to move has been sent to a block with the same
// marks. For each of the two kinds there is a running mean of the errors; an estimate is corrected by half the sum of
// both means.
class Corrections {
  public:
    explicit Corrections(const Game& game);

    int of(const Position& position) const;  // the correction to add to the estimate
    // Records that a search of this depth found a score that exceeds the estimate by `error`.
    void learn(const Position& position, int error, int depth);

  private:
    std::size_t by_won_blocks(const Position& position) const;
    std::size_t by_sending(const Position& position) const;

    std::vector<std::int32_t> won_, sent_;  // in units of 1/256; empty in games of one block
};

}  // namespace noughts
