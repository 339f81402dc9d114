#include "tactics/threat_map.hpp"

#include <algorithm>
#include <random>

#include "boards.hpp"
#include "check.hpp"
#include "positions.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

// Renumbers cells and lines, and shuffles the cells of each line: no result may depend on their order.
GameData shuffled(GameData data, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<int> number(data.cells);
    for (int i = 0; i < data.cells; ++i) number[i] = i;
    std::shuffle(number.begin(), number.end(), random);
    for (LineData& line : data.lines) {
        for (int& cell : line.cells) cell = number[cell];
        for (int& cell : line.guards) cell = number[cell];
        std::shuffle(line.cells.begin(), line.cells.end(), random);
    }
    std::shuffle(data.lines.begin(), data.lines.end(), random);
    return data;
}

// Removes the lines through some cells.
GameData without(GameData data, const std::vector<int>& cells) {
    std::erase_if(data.lines, [&](const LineData& line) {
        return std::ranges::any_of(line.cells, [&](int cell) { return std::ranges::find(cells, cell) != cells.end(); });
    });
    return data;
}

std::vector<GameData> supported_games() {
    return {board(15, 15, 5),
            board(9, 9, 5),
            board(7, 7, 5, true),
            board(6, 6, 4),
            board(6, 6, 4, true),
            wrapped(10, 10, 5),
            wrapped(11, 11, 5, true),
            board(8, 3, 3),
            board(8, 8, 6),
            shuffled(board(8, 8, 5), 1),
            shuffled(wrapped(9, 9, 4), 2),
            shuffled(board(9, 9, 5, true), 3),
            without(board(9, 9, 5), {0, 4, 9, 80})};
}

// --- shapes straight from the lines of a game -----------------------------------------------------------------------

// Reference implementation of shapes, which tries every further mark.
class SlowShapes {
  public:
    SlowShapes(const Position& position, Side side) : position_(position), side_(side) {}

    // The shape that a mark on `cell` makes in these lines, all of which must pass through the cell.
    Shape of(Cell cell, const std::vector<int>& lines) {
        lines_ = lines;
        free_.clear();
        for (int line : lines_)
            for (Cell other : position_.game().line_cells(line))
                if (other != cell && position_.at(other) == NO_SIDE && std::ranges::find(free_, other) == free_.end())
                    free_.push_back(other);
        known_.assign(std::size_t{1} << free_.size(), -1);
        cell_ = cell;
        return with(0);
    }

  private:
    bool is_own(Cell cell, unsigned further) const {
        if (cell == cell_ || position_.at(cell) == side_) return true;
        const auto place = std::ranges::find(free_, cell) - free_.begin();
        return place < static_cast<std::ptrdiff_t>(free_.size()) && (further >> place & 1);
    }
    bool is_complete(int line, unsigned further) const {
        const LineData& data = position_.game().data().lines[line];
        const auto own = [&](Cell cell) { return is_own(cell, further); };
        return std::ranges::all_of(data.cells, own) && std::ranges::none_of(data.guards, own);
    }
    Shape with(unsigned further) {
        if (known_[further] < 0) known_[further] = static_cast<int>(shape(further));
        return static_cast<Shape>(known_[further]);
    }
    Shape shape(unsigned further) {
        if (std::ranges::any_of(lines_, [&](int line) { return is_complete(line, further); })) return Shape::FIVE;
        std::array<int, SHAPES> made{};  // the number of cells on which a further mark makes each shape
        for (std::size_t i = 0; i < free_.size(); ++i)
            if (!(further >> i & 1)) ++made[static_cast<std::size_t>(with(further | 1u << i))];
        const auto count = [&](Shape which) { return made[static_cast<std::size_t>(which)]; };
        if (const int fives = count(Shape::FIVE)) return fives > 1 ? Shape::OPEN_FOUR : Shape::FOUR;
        if (const int open = count(Shape::OPEN_FOUR)) return open > 1 ? Shape::SOLID_THREE : Shape::THREE;
        if (count(Shape::FOUR)) return Shape::CLOSED_THREE;
        if (const int threes = count(Shape::THREE) + count(Shape::SOLID_THREE))
            return threes > 2 ? Shape::SOLID_TWO : Shape::TWO;
        if (count(Shape::CLOSED_THREE)) return Shape::CLOSED_TWO;
        if (count(Shape::TWO) + count(Shape::SOLID_TWO)) return Shape::ONE;
        return count(Shape::CLOSED_TWO) ? Shape::CLOSED_ONE : Shape::NONE;
    }

    const Position& position_;
    Side side_;
    Cell cell_ = NO_CELL;
    std::vector<int> lines_;
    std::vector<Cell> free_;  // the cells of further marks
    std::vector<int> known_;  // shapes by the set of further marks
};

// The lines through a cell, grouped into strips: two lines that share all cells but one are in the same strip.
std::vector<std::vector<int>> strips_through(const Game& game, Cell cell) {
    std::vector<std::vector<int>> groups;
    for (int line : game.lines_of(cell)) groups.push_back({line});
    const auto overlap = [&](int a, int b) {
        const auto cells = game.line_cells(b);
        return std::ranges::count_if(game.line_cells(a), [&](Cell shared) {
                   return std::ranges::find(cells, shared) != cells.end();
               }) == static_cast<std::ptrdiff_t>(cells.size()) - 1;
    };
    const auto touch = [&](const auto& a, const auto& b) {
        for (int i : a)
            for (int j : b)
                if (overlap(i, j)) return true;
        return false;
    };
    for (std::size_t i = 0; i < groups.size(); ++i)
        for (std::size_t j = i + 1; j < groups.size(); ++j)
            if (touch(groups[i], groups[j])) {
                groups[i].insert(groups[i].end(), groups[j].begin(), groups[j].end());
                groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(j));
                j = i;
            }
    return groups;
}

void check_shapes(const ThreatMap& map, const Position& position, Cell cell) {
    for (Side side : BOTH_SIDES) {
        SlowShapes slow(position, side);
        std::vector<Shape> expected, found;
        for (const auto& lines : strips_through(position.game(), cell)) expected.push_back(slow.of(cell, lines));
        for (int strip = 0; strip < map.strips_of_cell(); ++strip) found.push_back(map.shape(side, cell, strip));
        expected.resize(found.size(), Shape::NONE);
        std::ranges::sort(expected);
        std::ranges::sort(found);
        CHECK(expected == found);
    }
}

// Reference implementation of the class of a cell: counts the strips with each shape.
CellClass slow_class(const ThreatMap& map, Side side, Cell cell) {
    int twos = 0, threes = 0, fours = 0, open_fours = 0, fives = 0;
    for (int strip = 0; strip < map.strips_of_cell(); ++strip) {
        const Shape shape = map.shape(side, cell, strip);
        twos += shape == Shape::TWO || shape == Shape::SOLID_TWO;
        threes += shape == Shape::THREE || shape == Shape::SOLID_THREE;
        fours += shape == Shape::FOUR;
        open_fours += shape == Shape::OPEN_FOUR;
        fives += shape == Shape::FIVE;
    }
    if (fives > 0) return CellClass::FIVE;
    if (open_fours > 0 || fours > 1) return CellClass::DOUBLE_FOUR;
    if (fours > 0) return threes > 0 ? CellClass::FOUR_THREE : twos > 0 ? CellClass::FOUR_TWO : CellClass::FOUR;
    if (threes > 1) return CellClass::DOUBLE_THREE;
    if (threes > 0) return twos > 0 ? CellClass::THREE_TWO : CellClass::THREE;
    return twos > 1 ? CellClass::DOUBLE_TWO : twos > 0 ? CellClass::TWO : CellClass::NONE;
}

// Compares everything that a map maintains with its shapes.
void check_sums(const ThreatMap& map, const Position& position, const ThreatWorths& worths) {
    for (Side side : BOTH_SIDES) {
        std::array<int, CELL_CLASSES> counts{};
        std::int64_t worth = 0;
        for (Cell cell = 0; cell < position.game().cells(); ++cell) {
            const bool is_empty = position.at(cell) == NO_SIDE;
            const CellClass expected = is_empty ? slow_class(map, side, cell) : CellClass::NONE;
            const CellClass found = map.of(side, cell);
            CHECK_EQUAL(found, expected);
            ++counts[static_cast<std::size_t>(expected)];
            bool presses = false;
            for (int strip = 0; is_empty && strip < map.strips_of_cell(); ++strip) {
                const Shape shape = map.shape(side, cell, strip);
                presses |= shape >= Shape::CLOSED_THREE;
                worth += worths.shapes[static_cast<std::size_t>(shape)];
            }
            worth += worths.classes[static_cast<std::size_t>(expected)];
            CHECK_EQUAL(map.cells(side, PRESSING).contains(cell), presses);
            for (int i = 1; i < CELL_CLASSES; ++i)
                CHECK_EQUAL(map.cells(side, static_cast<ClassSet>(1 << i)).contains(cell),
                            expected == static_cast<CellClass>(i));
        }
        for (int i = 1; i < CELL_CLASSES; ++i) {
            CHECK_EQUAL(map.count(side, static_cast<CellClass>(i)), counts[i]);
            CHECK_EQUAL(map.has(side, static_cast<ClassSet>(1 << i)), counts[i] > 0);
        }
        CHECK_EQUAL(map.worth(side), worth);
    }
}

ThreatWorths some_worths() {
    ThreatWorths worths;
    for (int i = 1; i < SHAPES; ++i) worths.shapes[i] = i * i + (std::int64_t{i} << 32);
    for (int i = 1; i < CELL_CLASSES; ++i) worths.classes[i] = 1000 * i * i;
    return worths;
}

}  // namespace

TEST("games whose lines chain up are supported, others are not") {
    for (auto& data : supported_games()) CHECK(ThreatMap::supports(*make(std::move(data))));
    GameData without_guard = board(7, 7, 5, true), odd_guard = board(9, 9, 5), mixed = board(9, 9, 5);
    without_guard.lines[3].guards.clear();
    odd_guard.lines[3].guards = {80};
    mixed.lines.push_back({{0, 10, 20}, {}});
    GameData twisted = board(9, 9, 5), branching = board(9, 9, 5);
    twisted.lines.push_back({{0, 9, 1, 10, 2}, {}});    // shares four cells with no other line, but two with the row
    branching.lines.push_back({{0, 1, 2, 3, 40}, {}});  // a second left neighbour of a row
    for (auto data : {without_guard, odd_guard, mixed, twisted, branching, with(board(9, 9, 5), {.misere = true}),
                      board(3, 3, 3), cube(4), board(7, 6, 4, false, true), ultimate(3), wrapped(6, 6, 4),
                      wrapped(8, 8, 5), wrapped(5, 5, 4), board(9, 9, 7), board(9, 9, 6, true)})
        CHECK(!ThreatMap::supports(*make(std::move(data))));
}

TEST("shapes are what the lines of a game say") {
    for (auto& data : supported_games()) {
        const auto game = make(std::move(data));
        std::mt19937 random(7);
        Position position(game);
        auto map = ThreatMap::of(position);
        for (int i = 0; i < fewer(400); ++i) {
            Position played = random_ending(game, static_cast<int>(random() % game->cells()) + 1, random);
            if (played.is_over()) continue;
            map->reset(played);
            for (int j = 0; j < 3; ++j) check_shapes(*map, played, random_move(played, random));
        }
    }
}

TEST("classes, sets, counts and worths follow play and undo") {
    for (auto& data : supported_games()) {
        const auto game = make(std::move(data));
        std::mt19937 random(11);
        Position position(game);
        auto map = ThreatMap::of(position, some_worths());
        for (int step = 0; step < fewer(300); ++step) {
            if (position.ply() > 0 && (position.is_over() || random() % 5 < 2)) {
                position.undo();
                map->undo();
            } else {
                const Cell cell = random_move(position, random);
                map->play(cell, position.turn());
                position.play(cell);
            }
            if (random() % 4 > 0) continue;
            check_sums(*map, position, some_worths());
            const auto fresh = ThreatMap::of(position, some_worths());
            for (Cell cell = 0; cell < game->cells(); ++cell)
                for (Side side : BOTH_SIDES) CHECK_EQUAL(map->of(side, cell), fresh->of(side, cell));
        }
    }
}
