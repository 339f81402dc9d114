#include "tactics/static_win.hpp"

#include <algorithm>

namespace noughts {
namespace {

constexpr ClassSet BY_DOUBLE_FOUR = class_set(CellClass::DOUBLE_FOUR), BY_FOUR_THREE = class_set(CellClass::FOUR_THREE),
                   BY_DOUBLE_THREE = class_set(CellClass::DOUBLE_THREE);

bool makes_four(const ThreatMap& map, Side side, Cell cell) {
    return (class_set(map.of(side, cell)) & MAKES_FOUR) != 0;
}

// The reply to a mark of `side` on `cell` that leaves one cell to complete a line.
Cell reply_to_four(const Position& position, Side side, Cell cell) {
    const auto lines = position.game().lines_of(cell);
    const auto pair = std::ranges::find_if(lines, [&](int line) { return lacks_two(position.line(line), side); });
    return sum_of_empties(position.line(*pair)) - cell;
}

bool wins_by_four_three(const Position& position, const ThreatMap& map, Side side, Cell cell) {
    return !makes_four(map, opponent(side), reply_to_four(position, side, cell));
}

}  // namespace

StaticWin static_win(const Position& position, const ThreatMap& map) {
    const Side self = position.turn();
    if (const Cell cell = map.cells(self, BY_DOUBLE_FOUR).first(); cell != NO_CELL) return {3, cell};
    for (Cell cell : map.cells(self, BY_FOUR_THREE))
        if (wins_by_four_three(position, map, self, cell)) return {5, cell};
    if (const Cell cell = map.cells(self, BY_DOUBLE_THREE).first(); cell != NO_CELL)
        if (!map.has(opponent(self), MAKES_FOUR)) return {5, cell};
    return {};
}

StaticWin static_win_on(const Position& position, const ThreatMap& map, Cell cell) {
    const Side self = position.turn();
    switch (map.of(self, cell)) {
        case CellClass::DOUBLE_FOUR: return {3, cell};
        case CellClass::FOUR_THREE:
            if (wins_by_four_three(position, map, self, cell)) return {5, cell};
            return {};
        case CellClass::DOUBLE_THREE:
            if (!map.has(opponent(self), MAKES_FOUR)) return {5, cell};
            return {};
        default: return {};
    }
}

bool StaticDefence::find(const Position& position, const ThreatMap& map) {
    const Side self = position.turn(), rival = opponent(self);
    bool found = false;
    const auto add = [&](Cell cell) {
        find_replies(position, map, cell);
        if (!found) replies_ = of_one_;
        if (found) replies_ &= of_one_;
        found = true;
    };
    for (Cell cell : map.cells(rival, BY_FOUR_THREE))
        if (wins_by_four_three(position, map, rival, cell)) add(cell);
    if (!map.has(self, MAKES_FOUR))
        for (Cell cell : map.cells(rival, BY_DOUBLE_THREE)) add(cell);
    return found;
}

// Collects the replies to the win that begins on `cell`; any other move leaves it as it is. The replies are:
// - `cell` itself, and the cells in its strips whose marks take the four or the threes away;
// - moves that make a four;
// - moves that prepare a four: one made by the reply to the opponent's four or, if the opponent only makes threes, any.
//   Such a move makes at least a closed three.
void StaticDefence::find_replies(const Position& position, const ThreatMap& map, Cell cell) {
    const Side self = position.turn(), rival = opponent(self);
    const bool has_four = makes_four(map, rival, cell);
    if (has_four) {
        of_one_ = map.cells(self, MAKES_FOUR);
        const Cell reply = reply_to_four(position, rival, cell);
        map.for_each_seen(rival, reply, [&](Cell other, int, Shape) {
            if (map.cells(self, PRESSING).contains(other)) of_one_.insert(other);
        });
    } else {
        of_one_ = map.cells(self, PRESSING);
    }
    of_one_.insert(cell);
    int threes = 0;
    const auto is_three = [](Shape shape) { return shape == Shape::THREE || shape == Shape::SOLID_THREE; };
    for (int strip = 0; strip < map.strips_of_cell(); ++strip) threes += is_three(map.shape(rival, cell, strip));
    const int needed = has_four ? 1 : 2;
    map.for_each_seen(rival, cell, [&](Cell other, int strip, Shape left) {
        if (position.at(other) != NO_SIDE) return;
        const Shape now = map.shape(rival, cell, strip);
        const bool loses_four = now == Shape::FOUR && left < Shape::FOUR;
        const bool loses_three = is_three(now) && left < Shape::THREE && threes == needed;
        if (loses_four || loses_three) of_one_.insert(other);
    });
}

}  // namespace noughts
