#include "solve/static_draw/set_packing.hpp"

#include <algorithm>
#include <utility>

namespace noughts {
namespace {

constexpr int NO_CROSSING = -1;
constexpr int SEVERAL_CROSSINGS = -2;

}  // namespace

SetPacking::SetPacking(std::vector<std::vector<Number>> lines, int cells, const SetPool* pool, int tries)
    : lines_(std::move(lines)), through_(cells), pool_(pool), tries_left_(tries), reached_(cells), previous_(cells) {
    for (std::size_t line = 0; line < lines_.size(); ++line)
        for (const Number cell : lines_[line]) through_[cell].push_back(static_cast<Number>(line));
    state_.owner.assign(cells, NOTHING);
    state_.held.assign(lines_.size(), 0);
    state_.is_in_set.assign(lines_.size(), false);
    match();
}

bool SetPacking::find(int most, const std::function<bool()>& accept) {
    StoppingSet set;
    for (const int end = std::max(0, tries_left_ - most); tries_left_ > end; --tries_left_) {
        if (state_.lacking == 0 && accept()) return true;
        if (!choose_set(set)) continue;
        before_ = state_;
        remove_sets_in_the_way(set);
        add(set);
        match();
        if (state_.lacking > before_.lacking) std::swap(state_, before_);
    }
    return state_.lacking == 0 && accept();
}

std::vector<SetPacking::Pair> SetPacking::pairs() const {
    std::vector<Number> first(lines_.size(), NOTHING);
    std::vector<Pair> pairs;
    for (std::size_t cell = 0; cell < state_.owner.size(); ++cell) {
        const Number line = state_.owner[cell];
        if (line == NOTHING || line == IN_SET) continue;
        if (first[line] == NOTHING)
            first[line] = static_cast<Number>(cell);
        else
            pairs.push_back({first[line], static_cast<Number>(cell)});
    }
    return pairs;
}

// --- sets ---------------------------------------------------------------------------------------------------------

// Draws a random set. Returns false if the lines drawn do not form one.
bool SetPacking::choose_set(StoppingSet& set) {
    return pool_ && !pool_->is_empty() ? choose_from_pool(set) : choose_grid(set);
}

// Draws a set whose cells are all empty. Closed lines need not be stopped.
bool SetPacking::choose_from_pool(StoppingSet& set) {
    pool_->draw(random_, set);
    std::erase_if(set.lines, [&](Number line) { return !is_open(line); });
    return 2 * set.lines.size() > set.cells.size() &&
           std::ranges::all_of(set.cells, [&](Number cell) { return !through_[cell].empty(); });
}

bool SetPacking::choose_grid(StoppingSet& set) {
    set.lines.assign(GRID_LINES, static_cast<Number>(draw(lines_.size())));
    if (!is_open(set.lines[0]) || !choose_columns(set) || !choose_rows(set)) return false;
    set.cells.clear();
    for (int row = 0; row < GRID_SIDE; ++row)
        for (int column = GRID_SIDE; column < GRID_LINES; ++column)
            set.cells.push_back(static_cast<Number>(crossing(set.lines[row], set.lines[column])));
    return true;
}

// Draws three lines that cross the first line of the grid, but not each other.
bool SetPacking::choose_columns(StoppingSet& grid) {
    const auto& cells = lines_[grid.lines[0]];
    for (int column = GRID_SIDE; column < GRID_LINES; ++column) {
        const auto& through = through_[cells[draw(cells.size())]];
        grid.lines[column] = through[draw(through.size())];
        if (crossing(grid.lines[0], grid.lines[column]) < 0) return false;
        for (int other = GRID_SIDE; other < column; ++other)
            if (!are_disjoint(grid.lines[column], grid.lines[other])) return false;
    }
    return true;
}

// Draws two more lines that cross all three columns, but not each other.
bool SetPacking::choose_rows(StoppingSet& grid) {
    std::vector<Number> rows;
    for (const Number cell : lines_[grid.lines[GRID_SIDE]])
        for (const Number line : through_[cell]) {
            const auto crosses = [&](int column) { return crossing(line, grid.lines[column]) >= 0; };
            if (crosses(GRID_SIDE) && crosses(GRID_SIDE + 1) && crosses(GRID_SIDE + 2) &&
                are_disjoint(line, grid.lines[0]))
                rows.push_back(line);
        }
    if (rows.size() < 2) return false;
    grid.lines[1] = rows[draw(rows.size())];
    grid.lines[2] = rows[draw(rows.size())];
    return are_disjoint(grid.lines[1], grid.lines[2]);
}

// The only cell that both lines pass through; NO_CROSSING if there is none or more than one.
int SetPacking::crossing(int line, int other) const {
    int common = NO_CROSSING;
    for (const Number cell : lines_[line])
        if (std::ranges::find(lines_[other], cell) != lines_[other].end())
            common = common == NO_CROSSING ? cell : SEVERAL_CROSSINGS;
    return common;
}

bool SetPacking::are_disjoint(int line, int other) const { return crossing(line, other) == NO_CROSSING; }

void SetPacking::add(const StoppingSet& set) {
    for (const Number line : set.lines) {
        release(line);
        state_.is_in_set[line] = true;
    }
    for (const Number cell : set.cells) {
        if (state_.owner[cell] != NOTHING) --state_.held[state_.owner[cell]];
        state_.owner[cell] = IN_SET;
    }
    state_.sets.push_back(set);
}

void SetPacking::remove_sets_in_the_way(const StoppingSet& set) {
    const auto has_line = [&](Number line) { return std::ranges::find(set.lines, line) != set.lines.end(); };
    const auto has_cell = [&](Number cell) { return std::ranges::find(set.cells, cell) != set.cells.end(); };
    std::erase_if(state_.sets, [&](const StoppingSet& old) {
        if (std::ranges::none_of(old.lines, has_line) && std::ranges::none_of(old.cells, has_cell)) return false;
        for (const Number line : old.lines) state_.is_in_set[line] = false;
        for (const Number cell : old.cells) state_.owner[cell] = NOTHING;
        return true;
    });
}

// --- pairs --------------------------------------------------------------------------------------------------------

void SetPacking::release(int line) {
    for (const Number cell : lines_[line])
        if (state_.owner[cell] == line) state_.owner[cell] = NOTHING;
    state_.held[line] = 0;
}

// Gives the lines outside the sets as many cells as possible, up to two for each line.
void SetPacking::match() {
    state_.lacking = 0;
    for (std::size_t line = 0; line < lines_.size(); ++line) {
        if (state_.is_in_set[line] || lines_[line].empty()) continue;
        while (state_.held[line] < 2 && take_cell(static_cast<int>(line))) {
        }
        state_.lacking += 2 - state_.held[line];
    }
}

// Augmenting path: gives the line one more cell by moving cells along a shortest chain of lines. Returns whether there
// is such a chain.
bool SetPacking::take_cell(int line) {
    ++searches_;
    queue_.clear();
    const auto reach = [&](int from, Number previous) {
        for (const Number cell : lines_[from]) {
            if (reached_[cell] == searches_ || state_.owner[cell] == IN_SET) continue;
            reached_[cell] = searches_;
            previous_[cell] = previous;
            queue_.push_back(cell);
        }
    };
    reach(line, NOTHING);
    for (std::size_t next = 0; next < queue_.size(); ++next) {
        Number cell = queue_[next];
        if (state_.owner[cell] != NOTHING) {
            if (state_.owner[cell] != line) reach(state_.owner[cell], cell);
            continue;
        }
        for (; previous_[cell] != NOTHING; cell = previous_[cell]) state_.owner[cell] = state_.owner[previous_[cell]];
        state_.owner[cell] = static_cast<Number>(line);
        ++state_.held[line];
        return true;
    }
    return false;
}

}  // namespace noughts
