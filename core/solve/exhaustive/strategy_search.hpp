// Finds fixed strategies: plays one out, and repairs the order of its items at the mistake that made it fail.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "solve/exhaustive/fixed_strategy.hpp"

namespace noughts {

class StrategySearch {
  public:
    // Whether the side to move reaches the goal; empty if that is not known.
    using Oracle = std::function<std::optional<bool>(const Position&, int goal)>;

    // For games that FixedStrategy::supports.
    StrategySearch(const Game& game, Oracle oracle);

    // The cells of a strategy that reaches the goal, in order of preference, if one is found. The position is left as
    // it was.
    std::optional<std::vector<Cell>> find(Position& position, Side prover, int goal);

  private:
    std::vector<Cell> follow_up(const Position& position, bool from_ground) const;
    bool repair(Position& position, int goal, std::vector<Cell>& order);
    bool repair_turn(Position& position, int goal, Cell move, std::vector<Cell>& order);

    FixedStrategy strategy_;
    Oracle oracle_;
    std::vector<int> levels_;  // of each cell: the cells below it
};

}  // namespace noughts
