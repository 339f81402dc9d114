// Finds fixed strategies: plays one out, and repairs the order of its items at the mistake that made it fail.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "solve/fixed_strategy.hpp"

namespace noughts {

class StrategySearch {
  public:
    // Whether the side to move reaches the goal; empty if that is not known.
    using Oracle = std::function<std::optional<bool>(const Position&, int goal)>;

    // For games that FixedStrategy::supports.
    StrategySearch(const Game& game, Oracle oracle);

    // The items of a strategy that reaches the goal, if one is found. The position is left as it was.
    std::optional<std::vector<StrategyItem>> find(Position& position, Side prover, int goal);

  private:
    using Items = std::vector<StrategyItem>;

    Items follow_up(const Position& position, bool from_ground) const;
    bool repair(Position& position, int goal, Items& items);
    bool repair_turn(Position& position, int goal, Cell move, Items& items);

    FixedStrategy strategy_;
    Oracle oracle_;
    std::vector<int> levels_;  // of each cell: the cells below it
};

}  // namespace noughts
