#include "solve/exhaustive/strategy_search.hpp"

#include <algorithm>

namespace noughts {
namespace {

constexpr int MOST_REPAIRS = 60;

// For each cell, the length of the longest chain of cells below it, not counting cells in `ignored`.
std::vector<int> levels_above(const Game& game, const CellSet& ignored) {
    std::vector<int> levels(game.cells(), -1);
    const std::function<int(Cell)> level_of = [&](Cell cell) {
        if (levels[cell] >= 0) return levels[cell];
        int level = 0;
        for (const Cell below : game.data().rests_on[cell])
            if (!ignored.contains(below)) level = std::max(level, level_of(below) + 1);
        return levels[cell] = level;
    };
    for (Cell cell = 0; cell < game.cells(); ++cell) level_of(cell);
    return levels;
}

}  // namespace

StrategySearch::StrategySearch(const Game& game, Oracle oracle)
    : strategy_(game), oracle_(std::move(oracle)), levels_(levels_above(game, CellSet(game.cells()))) {}

std::optional<std::vector<Cell>> StrategySearch::find(Position& position, Side prover, int goal) {
    for (const bool from_ground : {true, false}) {
        std::vector<Cell> order = follow_up(position, from_ground);
        for (int repairs = 0; repairs <= MOST_REPAIRS; ++repairs) {
            if (strategy_.play_out(position, prover, goal, order)) return strategy_.used_cells();
            if (!repair(position, goal, order)) break;
        }
    }
    return std::nullopt;
}

// A strategy that prefers the cells directly above those that the opponent takes: every second cell, counted from the
// ground or from the lowest empty cell.
std::vector<Cell> StrategySearch::follow_up(const Position& position, bool from_ground) const {
    const Game& game = position.game();
    CellSet marked = position.marks(X);
    marked |= position.marks(O);
    const std::vector<int> levels = from_ground ? levels_ : levels_above(game, marked);
    std::vector<Cell> upper, lower;
    for (Cell cell = 0; cell < game.cells(); ++cell)
        if (!marked.contains(cell)) (levels[cell] % 2 == 1 ? upper : lower).push_back(cell);
    upper.insert(upper.end(), lower.begin(), lower.end());
    return upper;
}

// Finds the last turn at which the prover could still reach the goal, and changes the order so that the prover makes a
// move there that does.
bool StrategySearch::repair(Position& position, int goal, std::vector<Cell>& order) {
    const std::vector<FixedStrategy::Turn> turns = strategy_.failure();
    const int ply = position.ply();
    bool repaired = false;
    for (const auto& [reply, move] : turns)
        for (const Cell cell : {reply, move})
            if (cell != NO_CELL) position.play(cell);
    for (std::size_t i = turns.size(); i-- > 0 && !repaired;) {
        if (turns[i].move != NO_CELL) position.undo();
        const bool is_turn = turns[i].move != NO_CELL;
        const std::optional<bool> reached = is_turn ? oracle_(position, goal) : std::optional(false);
        if (!reached) break;
        if (*reached) {
            repaired = repair_turn(position, goal, turns[i].move, order);
            break;
        }
        if (turns[i].reply != NO_CELL) position.undo();
    }
    while (position.ply() > ply) position.undo();
    return repaired;
}

bool StrategySearch::repair_turn(Position& position, int goal, Cell move, std::vector<Cell>& order) {
    const auto chosen = std::ranges::find(order, move);
    for (auto item = chosen + 1; item != order.end(); ++item) {
        if (!position.is_legal(*item)) continue;
        const ScopedMove played(position, *item);
        if (position.is_over() || oracle_(position, 1 - goal) == std::optional(false)) {
            std::rotate(chosen, item, item + 1);
            return true;
        }
    }
    return false;
}

}  // namespace noughts
