#include "solve/static_draw/set_pool.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "solve/static_draw/set_game.hpp"

namespace noughts {
namespace {

constexpr int POOL_TRIES = 12'000;
constexpr int POOL_TRIES_PER_NODE = 16;  // how many tries count as one node of work
constexpr int FEWEST_LINES = 4, MOST_LINES_AT_FIRST = 10;
// Least number of cells in the set for a chosen line and for an added line.
constexpr int LEAST_PART = 2, LEAST_PART_ADDED = 3;
constexpr int MOST_CELLS_AT_FIRST = 36;
constexpr int CROSSING_PRIORITY = 4, CHANCE = 9;  // make it likely that cells on few of the lines are dropped first

}  // namespace

SetPool::SetPool(const Game& game, const Symmetry& symmetry)
    : game_(game), symmetry_(symmetry), crossings_(game.cells()) {
    std::map<std::vector<int>, Number> numbers;
    const auto cells_of = [&](int line, const auto& image_of) {
        std::vector<int> cells;
        for (const int cell : game.line_cells(line)) cells.push_back(image_of(cell));
        std::ranges::sort(cells);
        return cells;
    };
    for (int line = 0; line < game.lines(); ++line)
        numbers[cells_of(line, [](int cell) { return cell; })] = static_cast<Number>(line);
    for (const Permutation& element : symmetry.elements()) {
        if ((line_images_.size() + 1) * static_cast<std::size_t>(game.lines()) > MOST_IMAGES) break;
        auto& images = line_images_.emplace_back();
        for (int line = 0; line < game.lines(); ++line)
            images.push_back(numbers.at(cells_of(line, [&](int cell) { return element[cell]; })));
    }
}

bool SetPool::fill(WorkLimit& limit) {
    for (; tries_ < POOL_TRIES; ++tries_) {
        if (tries_ % POOL_TRIES_PER_NODE == 0) {
            limit.count_node();
            if (limit.poll() && limit.is_spent()) return false;
        }
        if (!choose_lines()) continue;
        choose_cells();
        if (!breaker_wins(parts_)) continue;
        leave_out_cells();
        if (static_cast<int>(cells_.size()) > MOST_CELLS) continue;
        add_lines();
        if (5 * cells_.size() <= 7 * lines_.size()) keep();
    }
    if (kinds_.empty())
        for (const auto& [kind, sets] : by_kind_) kinds_.push_back(&sets);
    return true;
}

void SetPool::draw(std::mt19937& random, StoppingSet& set) const {
    const auto& sets = *kinds_[random() % kinds_.size()];
    const StoppingSet& original = sets[random() % sets.size()];
    const std::size_t element = random() % line_images_.size();
    set.lines.clear();
    set.cells.clear();
    for (const Number line : original.lines) set.lines.push_back(line_images_[element][line]);
    for (const Number cell : original.cells) set.cells.push_back(symmetry_.elements()[element][cell]);
}

// Draws two lines that cross, and some lines of their plane.
bool SetPool::choose_lines() {
    const int line = draw_number(game_.lines());
    const auto cells = game_.line_cells(line);
    const auto through = game_.lines_of(cells[draw_number(cells.size())]);
    const int other = through[draw_number(through.size())];
    if (other == line) return false;
    choose_flat(line, other);
    const auto wanted = static_cast<std::size_t>(FEWEST_LINES + draw_number(MOST_LINES_AT_FIRST - FEWEST_LINES + 1));
    if (flat_.size() < wanted || flat_.size() > SetGame::MOST_LINES) return false;
    for (std::size_t i = flat_.size(); i > 1; --i) std::swap(flat_[i - 1], flat_[draw_number(i)]);
    lines_.assign(flat_.begin(), flat_.begin() + static_cast<std::ptrdiff_t>(wanted));
    return true;
}

// The plane of two lines: all lines that share two cells with other lines of the plane.
void SetPool::choose_flat(int line, int other) {
    std::vector<bool> is_cell(game_.cells()), is_line(game_.lines());
    std::vector<int> shared(game_.lines());
    flat_.clear();
    std::vector<Number> found{static_cast<Number>(line), static_cast<Number>(other)};
    is_line[line] = is_line[other] = true;
    while (!found.empty() && flat_.size() <= SetGame::MOST_LINES) {
        const Number next = found.back();
        found.pop_back();
        flat_.push_back(next);
        for (const int cell : game_.line_cells(next)) {
            if (is_cell[cell]) continue;
            is_cell[cell] = true;
            for (const int crossing : game_.lines_of(cell))
                if (++shared[crossing] == 2 && !is_line[crossing]) {
                    is_line[crossing] = true;
                    found.push_back(static_cast<Number>(crossing));
                }
        }
    }
}

// The cells in which the lines cross, roughly ordered so that cells on few of the lines come first.
void SetPool::choose_cells() {
    std::ranges::fill(crossings_, 0);
    for (const Number line : lines_)
        for (const int cell : game_.line_cells(line)) ++crossings_[cell];
    std::vector<std::pair<int, Number>> order;
    for (int cell = 0; cell < game_.cells(); ++cell)
        if (crossings_[cell] > 1)
            order.push_back({CROSSING_PRIORITY * crossings_[cell] + draw_number(CHANCE), static_cast<Number>(cell)});
    std::ranges::sort(order);
    if (order.size() > MOST_CELLS_AT_FIRST) order.erase(order.begin(), order.end() - MOST_CELLS_AT_FIRST);
    cells_.clear();
    for (const auto& [priority, cell] : order) cells_.push_back(cell);
    parts_.clear();
    for (const Number line : lines_) parts_.push_back(part_of(line));
}

Word SetPool::part_of(int line) const {
    Word part = 0;
    for (const int cell : game_.line_cells(line))
        if (const auto at = std::ranges::find(cells_, cell); at != cells_.end())
            part |= bit(static_cast<int>(at - cells_.begin()));
    return part;
}

bool SetPool::breaker_wins(const std::vector<Word>& parts) const {
    if (std::ranges::any_of(parts, [](Word part) { return std::popcount(part) < LEAST_PART; })) return false;
    return SetGame().breaker_wins(parts);
}

void SetPool::leave_out_cells() {
    Word kept = 0;
    for (int cell = 0; cell < static_cast<int>(cells_.size()); ++cell) {
        auto fewer = parts_;
        for (Word& part : fewer) part &= ~bit(cell);
        if (breaker_wins(fewer))
            parts_ = fewer;
        else
            kept |= bit(cell);
    }
    std::vector<Number> cells;
    for_each_bit(kept, 0, [&](int cell) { cells.push_back(cells_[cell]); });
    cells_ = cells;
    for (std::size_t i = 0; i < lines_.size(); ++i) parts_[i] = part_of(lines_[i]);
}

// Adds the lines of the plane that the set stops as well. Any other line with three cells in the set would lie in the
// same plane.
void SetPool::add_lines() {
    for (const Number line : flat_) {
        const Word part = part_of(line);
        if (std::popcount(part) < LEAST_PART_ADDED || std::ranges::find(lines_, line) != lines_.end()) continue;
        parts_.push_back(part);
        if (breaker_wins(parts_))
            lines_.push_back(line);
        else
            parts_.pop_back();
    }
}

void SetPool::keep() { by_kind_[{lines_.size(), cells_.size()}].push_back({lines_, cells_}); }

}  // namespace noughts
