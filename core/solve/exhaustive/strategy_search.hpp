// Finds fixed strategies: plays a strategy out and, if it fails, repairs its order at the mistake.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "solve/exhaustive/fixed_strategy.hpp"

namespace noughts {

class StrategySearch {
  public:
    // Says whether the side to move reaches the goal; empty if unknown.
    using Oracle = std::function<std::optional<bool>(const Position&, int goal)>;

    // For games that FixedStrategy::supports.
    StrategySearch(const Game& game, Oracle oracle);

    // Returns the cells of a strategy that reaches the goal, in order of preference, if one is found. Restores the
    // position.
    std::optional<std::vector<Cell>> find(Position& position, Side prover, int goal);

  private:
    std::vector<Cell> follow_up(const Position& position, bool from_ground) const;
    bool repair(Position& position, int goal, std::vector<Cell>& order);
    bool repair_turn(Position& position, int goal, Cell move, std::vector<Cell>& order);

    FixedStrategy strategy_;
    Oracle oracle_;
    std::vector<int> levels_;  // by cell: the number of cells below it
};

}  // namespace noughts
