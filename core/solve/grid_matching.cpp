#include "solve/grid_matching.hpp"

#include <algorithm>
#include <utility>

namespace noughts {
namespace {

constexpr int NO_CROSSING = -1;
constexpr int SEVERAL_CROSSINGS = -2;
constexpr int GRID_SIDE = 3;

}  // namespace

GridMatching::GridMatching(std::vector<std::vector<Number>> lines, int cells)
    : lines_(std::move(lines)), through_(cells), reached_(cells), previous_(cells) {
    for (std::size_t line = 0; line < lines_.size(); ++line)
        for (const Number cell : lines_[line]) through_[cell].push_back(static_cast<Number>(line));
    state_.owner.assign(cells, NOTHING);
    state_.held.assign(lines_.size(), 0);
    state_.is_in_grid.assign(lines_.size(), false);
    match();
}

bool GridMatching::find(int tries) {
    GridOfLines grid;
    for (; state_.lacking > 0 && tries > 0; --tries) {
        if (!choose_grid(grid)) continue;
        before_ = state_;
        remove_grids_in_the_way(grid);
        add_grid(grid);
        match();
        if (state_.lacking > before_.lacking) std::swap(state_, before_);
    }
    return state_.lacking == 0;
}

std::vector<std::array<GridMatching::Number, 2>> GridMatching::pairs() const {
    std::vector<Number> first(lines_.size(), NOTHING);
    std::vector<std::array<Number, 2>> pairs;
    for (std::size_t cell = 0; cell < state_.owner.size(); ++cell) {
        const Number line = state_.owner[cell];
        if (line == NOTHING || line == IN_GRID) continue;
        if (first[line] == NOTHING)
            first[line] = static_cast<Number>(cell);
        else
            pairs.push_back({first[line], static_cast<Number>(cell)});
    }
    return pairs;
}

std::vector<GridMatching::Grid> GridMatching::grids() const {
    std::vector<Grid> cells;
    for (const GridOfLines& grid : state_.grids) cells.push_back(grid.cells);
    return cells;
}

// --- grids --------------------------------------------------------------------------------------------------------

// Draws a grid; often there is none for the lines that were drawn.
bool GridMatching::choose_grid(GridOfLines& grid) {
    grid.lines[0] = static_cast<Number>(draw(lines_.size()));
    if (!choose_columns(grid) || !choose_rows(grid)) return false;
    for (int row = 0; row < GRID_SIDE; ++row)
        for (int column = 0; column < GRID_SIDE; ++column)
            grid.cells[row * GRID_SIDE + column] =
                static_cast<Number>(crossing(grid.lines[row], grid.lines[GRID_SIDE + column]));
    return true;
}

// Draws three lines that cross the first, but not each other.
bool GridMatching::choose_columns(GridOfLines& grid) {
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
bool GridMatching::choose_rows(GridOfLines& grid) {
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

// The cell that both lines pass through, or a negative number if there is none or more than one.
int GridMatching::crossing(int line, int other) const {
    int common = NO_CROSSING;
    for (const Number cell : lines_[line])
        if (std::ranges::find(lines_[other], cell) != lines_[other].end())
            common = common == NO_CROSSING ? cell : SEVERAL_CROSSINGS;
    return common;
}

bool GridMatching::are_disjoint(int line, int other) const { return crossing(line, other) == NO_CROSSING; }

void GridMatching::add_grid(const GridOfLines& grid) {
    for (const Number line : grid.lines) {
        release(line);
        state_.is_in_grid[line] = true;
    }
    for (const Number cell : grid.cells) {
        if (state_.owner[cell] != NOTHING) --state_.held[state_.owner[cell]];
        state_.owner[cell] = IN_GRID;
    }
    state_.grids.push_back(grid);
}

void GridMatching::remove_grids_in_the_way(const GridOfLines& grid) {
    const auto has_line = [&](Number line) { return std::ranges::find(grid.lines, line) != grid.lines.end(); };
    const auto has_cell = [&](Number cell) { return std::ranges::find(grid.cells, cell) != grid.cells.end(); };
    std::erase_if(state_.grids, [&](const GridOfLines& old) {
        if (std::ranges::none_of(old.lines, has_line) && std::ranges::none_of(old.cells, has_cell)) return false;
        for (const Number line : old.lines) state_.is_in_grid[line] = false;
        for (const Number cell : old.cells) state_.owner[cell] = NOTHING;
        return true;
    });
}

// --- pairs --------------------------------------------------------------------------------------------------------

void GridMatching::release(int line) {
    for (const Number cell : lines_[line])
        if (state_.owner[cell] == line) state_.owner[cell] = NOTHING;
    state_.held[line] = 0;
}

// Gives the lines outside of grids as many cells as possible, up to two each.
void GridMatching::match() {
    state_.lacking = 0;
    for (std::size_t line = 0; line < lines_.size(); ++line) {
        if (state_.is_in_grid[line]) continue;
        while (state_.held[line] < 2 && take_cell(static_cast<int>(line))) {
        }
        state_.lacking += 2 - state_.held[line];
    }
}

// Gives the line one more cell, along a shortest path of lines that each give one up for another.
bool GridMatching::take_cell(int line) {
    ++searches_;
    queue_.clear();
    const auto reach = [&](int from, Number previous) {
        for (const Number cell : lines_[from]) {
            if (reached_[cell] == searches_ || state_.owner[cell] == IN_GRID) continue;
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
