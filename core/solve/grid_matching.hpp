// Matches lines to cells of their own: in pairs, or three by three in grids, which need fewer cells.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace noughts {

// Three lines that cross three others form a grid of nine cells. A breaker who answers in the grid stops all six lines,
// for which pairs would need twelve cells. A local search puts grids on the board, one after another, and keeps each
// that leaves the lines as a whole no shorter of cells than before. docs/proofs.md explains why the result stops the
// maker, and SetMatching checks it.
class GridMatching {
  public:
    using Number = std::uint16_t;  // of a cell or a line
    static constexpr int GRID_LINES = 6, GRID_CELLS = 9;
    using Grid = std::array<Number, GRID_CELLS>;

    // Lines are lists of different cells below `cells`.
    GridMatching(std::vector<std::vector<Number>> lines, int cells);

    // Whether each line got a pair of its own or a grid, after at most `tries` grids. The next call continues.
    bool find(int tries);
    std::vector<std::array<Number, 2>> pairs() const;
    std::vector<Grid> grids() const;

  private:
    static constexpr Number NOTHING = 0xffff, IN_GRID = 0xfffe;  // owners

    struct GridOfLines {
        std::array<Number, GRID_LINES> lines;  // each of the first three crosses each of the others
        Grid cells;
    };
    struct State {
        std::vector<Number> owner;       // by cell: the line that has it
        std::vector<std::uint8_t> held;  // by line: cells of its own, up to two
        std::vector<bool> is_in_grid;    // by line
        std::vector<GridOfLines> grids;
        int lacking = 0;  // cells, of all lines
    };

    bool choose_grid(GridOfLines& grid);
    bool choose_columns(GridOfLines& grid);
    bool choose_rows(GridOfLines& grid);
    int crossing(int line, int other) const;
    bool are_disjoint(int line, int other) const;
    void add_grid(const GridOfLines& grid);
    void remove_grids_in_the_way(const GridOfLines& grid);
    void release(int line);
    void match();
    bool take_cell(int line);
    int draw(std::size_t count) { return static_cast<int>(random_() % count); }

    std::vector<std::vector<Number>> lines_;
    std::vector<std::vector<Number>> through_;  // by cell: lines
    State state_, before_;
    std::mt19937 random_;
    // Of a breadth-first search for a cell:
    std::vector<std::uint32_t> reached_;  // by cell: the last search to
    std::vector<Number> previous_;        // by cell
    std::vector<Number> queue_;
    std::uint32_t searches_ = 0;
};

}  // namespace noughts
