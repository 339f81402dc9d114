#include "tactics/strips.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <utility>

namespace noughts {
namespace {

constexpr int MIN_LENGTH = 3;

constexpr std::array<int, MAX_DIGITS + 1> POWERS = [] {
    std::array<int, MAX_DIGITS + 1> powers{1};
    for (int i = 1; i <= MAX_DIGITS; ++i) powers[i] = powers[i - 1] * 3;
    return powers;
}();

// --- shapes -------------------------------------------------------------------------------------------------------

using Shapes = std::vector<Shape>;

// Whether a mark on the cell itself is part of a complete line.
bool is_complete(const Surroundings& kind, int number) {
    const auto is_own = [&](int distance) {
        if (distance == 0) return true;
        return number / POWERS[kind.digit_at(distance)] % 3 == Surroundings::OWN;
    };
    for (int first = 1 - kind.length; first <= 0; ++first) {
        int own = 0;
        for (int i = 0; i < kind.length; ++i) own += is_own(first + i);
        const bool spoiled = kind.guarded && (is_own(first - 1) || is_own(first + kind.length));
        if (own == kind.length && !spoiled) return true;
    }
    return false;
}

// The shape of a cell, given the numbers of cells on which a further mark would make each shape.
Shape shape_from(const std::array<int, SHAPES>& made) {
    const auto count = [&](Shape shape) { return made[static_cast<std::size_t>(shape)]; };
    if (count(Shape::FIVE) > 1) return Shape::OPEN_FOUR;
    if (count(Shape::FIVE) > 0) return Shape::FOUR;
    if (count(Shape::OPEN_FOUR) > 1) return Shape::SOLID_THREE;
    if (count(Shape::OPEN_FOUR) > 0) return Shape::THREE;
    if (count(Shape::FOUR) > 0) return Shape::CLOSED_THREE;
    const int threes = count(Shape::THREE) + count(Shape::SOLID_THREE);
    if (threes > 2) return Shape::SOLID_TWO;
    if (threes > 0) return Shape::TWO;
    if (count(Shape::CLOSED_THREE) > 0) return Shape::CLOSED_TWO;
    if (count(Shape::TWO) + count(Shape::SOLID_TWO) > 0) return Shape::ONE;
    return count(Shape::CLOSED_TWO) > 0 ? Shape::CLOSED_ONE : Shape::NONE;
}

// A further mark raises the number of the surroundings, so going through the numbers in descending order, the shapes
// that it makes are already known.
Shapes compute_shapes(const Surroundings& kind) {
    const int digits = kind.digits();
    Shapes shapes(POWERS[digits]);
    for (int number = POWERS[digits] - 1; number >= 0; --number) {
        if (is_complete(kind, number)) {
            shapes[number] = Shape::FIVE;
            continue;
        }
        std::array<int, SHAPES> made{};
        for (int digit = 0, rest = number; digit < digits; ++digit, rest /= 3)
            if (rest % 3 == Surroundings::EMPTY) ++made[static_cast<std::size_t>(shapes[number + POWERS[digit]])];
        shapes[number] = shape_from(made);
    }
    shapes.resize(2 * shapes.size(), Shape::NONE);
    return shapes;
}

}  // namespace

std::span<const Shape> shapes_in(const Surroundings& surroundings) {
    // Without a lock, which a fork could leave locked: two threads may compute the same shapes, and one result is kept.
    static std::array<std::array<std::atomic<const Shapes*>, 2>, MAX_DIGITS> cache{};
    auto& known = cache[surroundings.length][surroundings.guarded];
    if (const Shapes* shapes = known.load(std::memory_order_acquire)) return *shapes;
    auto computed = std::make_unique<const Shapes>(compute_shapes(surroundings));
    const Shapes* expected = nullptr;
    if (known.compare_exchange_strong(expected, computed.get(), std::memory_order_acq_rel)) return *computed.release();
    return *expected;
}

// --- strips -------------------------------------------------------------------------------------------------------

// Finds the strips of a game step by step. Each step returns false if the lines do not form clean strips.
class StripFinder {
  public:
    explicit StripFinder(const Game& game) : game_(game), neighbours_(game.lines()) {}

    std::optional<Strips> find() {
        if (has_right_lines() && find_neighbours() && chain_up() && lay_out()) return std::move(strips_);
        return std::nullopt;
    }

  private:
    struct Strip {
        std::vector<int> lines;
        std::vector<Cell> cells;
        bool is_circle;

        // The cell at a position of the strip; NO_CELL outside.
        Cell at(int position) const {
            const int size = static_cast<int>(cells.size());
            if (is_circle) return cells[(position + size) % size];
            return 0 <= position && position < size ? cells[position] : NO_CELL;
        }
    };

    bool has_right_lines() {
        if (!game_.has_one_block() || game_.lines() == 0) return false;
        length_ = static_cast<int>(line(0).size());
        strips_.surroundings_ = {length_, game_.has_guards()};
        if (length_ < MIN_LENGTH || strips_.surroundings_.digits() > MAX_DIGITS) return false;
        return std::ranges::all_of(
            game_.data().lines, [&](const LineData& data) { return static_cast<int>(data.cells.size()) == length_; });
    }

    std::span<const std::uint16_t> line(int index) const { return game_.line_cells(index); }
    bool has(int index, Cell cell) const { return std::ranges::find(line(index), cell) != line(index).end(); }
    // The cell of a line that its neighbour does not contain.
    Cell cell_beyond(int index, int neighbour) const {
        return *std::ranges::find_if(line(index), [&](Cell cell) { return !has(neighbour, cell); });
    }

    // Neighbours share all cells but one; a line has at most two neighbours.
    bool find_neighbours() {
        std::vector<int> shared(game_.lines());
        bool some_chain = false;
        for (int i = 0; i < game_.lines(); ++i) {
            for (Cell cell : line(i))
                for (int other : game_.lines_of(cell)) ++shared[other];
            bool is_right = true;
            for (Cell cell : line(i))
                for (int other : game_.lines_of(cell)) {
                    const int common = std::exchange(shared[other], 0);
                    if (other == i) continue;
                    is_right &= common < length_;
                    if (common == length_ - 1) neighbours_[i].push_back(other);
                }
            if (!is_right || neighbours_[i].size() > 2) return false;
            some_chain |= !neighbours_[i].empty();
        }
        return some_chain;
    }

    bool chain_up() {
        std::vector<bool> used(game_.lines());
        const auto chain_from = [&](int first, bool is_circle) {
            Strip strip{{}, {}, is_circle};
            for (int next = first; next >= 0;) {
                used[next] = true;
                strip.lines.push_back(next);
                const auto unused = std::ranges::find_if(neighbours_[next], [&](int other) { return !used[other]; });
                next = unused == neighbours_[next].end() ? -1 : *unused;
            }
            order_cells(strip);
            found_.push_back(std::move(strip));
            return is_clean(found_.back());
        };
        for (int i = 0; i < game_.lines(); ++i)
            if (!used[i] && neighbours_[i].size() < 2 && !chain_from(i, false)) return false;
        for (int i = 0; i < game_.lines(); ++i)
            if (!used[i] && !chain_from(i, true)) return false;
        return true;
    }

    // Going from a line to the next drops the first cell and adds a new last one. Cells common to all lines of a short
    // strip may be in any order; they keep that of the game's data.
    void order_cells(Strip& strip) const {
        const auto& lines = strip.lines;
        for (std::size_t i = 0; i + 1 < lines.size(); ++i) strip.cells.push_back(cell_beyond(lines[i], lines[i + 1]));
        if (strip.is_circle) {
            strip.cells.push_back(cell_beyond(lines.back(), lines.front()));
            return;
        }
        const int dropped = static_cast<int>(lines.size()) - 1;
        std::vector<Cell> first(line(lines.front()).begin(), line(lines.front()).end());
        if (dropped > 0 && strip.cells.front() == first.back()) std::ranges::reverse(first);
        for (Cell cell : first)
            if (dropped < length_ && std::ranges::find(strip.cells, cell) == strip.cells.end())
                strip.cells.push_back(cell);
        for (std::size_t i = dropped < length_ ? 0 : dropped - length_; i + 1 < lines.size(); ++i)
            strip.cells.push_back(cell_beyond(lines[i + 1], lines[i]));
    }

    // Whether the cells are distinct, the windows are the lines, and the guards are the neighbours of the windows.
    bool is_clean(const Strip& strip) const {
        auto sorted = strip.cells;
        std::ranges::sort(sorted);
        if (std::ranges::adjacent_find(sorted) != sorted.end()) return false;
        const std::size_t windows = strip.is_circle ? sorted.size() : sorted.size() + 1 - length_;
        if (strip.lines.size() != windows) return false;
        const int least = strip.is_circle ? strips_.surroundings_.digits() + 1 : length_;
        if (static_cast<int>(sorted.size()) < least) return false;
        for (int i = 0; i < static_cast<int>(windows); ++i) {
            for (int j = 0; j < length_; ++j)
                if (!has(strip.lines[i], strip.at(i + j))) return false;
            if (!has_right_guards(strip, i)) return false;
        }
        return true;
    }

    bool has_right_guards(const Strip& strip, int window) const {
        auto guards = game_.data().lines[strip.lines[window]].guards;
        std::vector<int> expected;
        if (strips_.surroundings_.guarded)
            for (int position : {window - 1, window + length_})
                if (const Cell cell = strip.at(position); cell != NO_CELL) expected.push_back(cell);
        std::ranges::sort(guards);
        std::ranges::sort(expected);
        return guards == expected;
    }

    bool lay_out() {
        std::vector<int> strips_of(game_.cells());
        for (const Strip& strip : found_)
            for (Cell cell : strip.cells) strips_.width_ = std::max(strips_.width_, ++strips_of[cell]);
        const Surroundings& kind = strips_.surroundings_;
        const auto slots = static_cast<std::size_t>(game_.cells()) * strips_.width_;
        strips_.start_.assign(slots, static_cast<std::uint16_t>(POWERS[kind.digits()] - 1));
        std::vector<std::vector<Strips::View>> views(game_.cells());
        std::ranges::fill(strips_of, 0);
        for (const Strip& strip : found_) {
            const int size = static_cast<int>(strip.cells.size());
            for (int i = 0; i < size; ++i)
                for (int distance = -kind.radius(); distance <= kind.radius(); ++distance) {
                    const Cell cell = strip.cells[i], seen = strip.at(i + distance);
                    if (distance == 0 || seen == NO_CELL) continue;
                    const int digit = kind.digit_at(distance), slot = cell * strips_.width_ + strips_of[cell];
                    views[seen].push_back({static_cast<std::uint16_t>(cell), static_cast<std::uint8_t>(digit),
                                           static_cast<std::uint8_t>(strips_of[seen]),
                                           static_cast<std::uint32_t>(slot)});
                    strips_.start_[slot] -= static_cast<std::uint16_t>(Surroundings::CLOSED * POWERS[digit]);
                }
            for (Cell cell : strip.cells) ++strips_of[cell];
        }
        return std::ranges::all_of(views, [&](auto& seen_from) { return add_views(seen_from); });
    }

    // Sorts the views in ascending order, so that nearby cells are close in memory. A cell must see another in one
    // strip only.
    bool add_views(std::vector<Strips::View>& seen_from) {
        std::ranges::sort(seen_from, {}, &Strips::View::slot);
        if (strips_.first_view_.empty()) strips_.first_view_.push_back(0);
        strips_.views_.insert(strips_.views_.end(), seen_from.begin(), seen_from.end());
        strips_.first_view_.push_back(static_cast<std::uint32_t>(strips_.views_.size()));
        return std::ranges::adjacent_find(seen_from, {}, &Strips::View::cell) == seen_from.end();
    }

    const Game& game_;
    int length_ = 0;
    std::vector<std::vector<int>> neighbours_;  // by line
    std::vector<Strip> found_;
    Strips strips_;
};

std::optional<Strips> Strips::of(const Game& game) { return StripFinder(game).find(); }

}  // namespace noughts
