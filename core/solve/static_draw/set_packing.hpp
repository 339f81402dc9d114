// Packs disjoint sets of cells that stop lines: sets from a pool, grids of three by three lines, and pairs for all
// other lines.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "solve/static_draw/set_pool.hpp"

namespace noughts {

// A local search puts sets on the board one after another, each in place of the sets in its way. It keeps a set if the
// lines as a whole then lack no more cells than before; each line without a set needs its own pair.
// docs/proof-soundness.md explains why the result stops the maker, and SetMatching checks it.
//
// Three lines that cross three others form a grid of nine cells, within which the breaker stops all six lines; pairs
// would need twelve cells. Sets from a pool need even fewer.
class SetPacking {
  public:
    using Number = SetPool::Number;
    using Pair = std::array<Number, 2>;

    // Each line is a list of different cells below `cells`; a line without cells is closed and need not be stopped. The
    // pool must be for the same lines and outlive this object; it may be null. At most `tries` sets are tried in all.
    SetPacking(std::vector<std::vector<Number>> lines, int cells, const SetPool* pool, int tries);

    // Whether every line got a set and `accept()` agreed, after at most `most` tries. The next call continues the
    // search.
    bool find(int most, const std::function<bool()>& accept);
    int tries_left() const { return tries_left_; }
    std::vector<Pair> pairs() const;
    const std::vector<StoppingSet>& sets() const { return state_.sets; }

  private:
    static constexpr Number NOTHING = 0xffff, IN_SET = 0xfffe;  // special values of owners
    static constexpr int GRID_SIDE = 3, GRID_LINES = 6;

    struct State {
        std::vector<Number> owner;       // by cell: the line that owns it
        std::vector<std::uint8_t> held;  // by line: how many cells it owns, up to two
        std::vector<bool> is_in_set;     // by line
        std::vector<StoppingSet> sets;
        int lacking = 0;  // cells that all lines together lack
    };

    bool is_open(int line) const { return !lines_[line].empty(); }
    bool choose_set(StoppingSet& set);
    bool choose_from_pool(StoppingSet& set);
    bool choose_grid(StoppingSet& set);
    bool choose_columns(StoppingSet& grid);
    bool choose_rows(StoppingSet& grid);
    int crossing(int line, int other) const;
    bool are_disjoint(int line, int other) const;
    void add(const StoppingSet& set);
    void remove_sets_in_the_way(const StoppingSet& set);
    void release(int line);
    void match();
    bool take_cell(int line);
    int draw(std::size_t count) { return static_cast<int>(random_() % count); }

    std::vector<std::vector<Number>> lines_;
    std::vector<std::vector<Number>> through_;  // by cell: the lines through it
    const SetPool* pool_;
    int tries_left_;
    State state_, before_;
    std::mt19937 random_;
    // State of the breadth-first search for a cell:
    std::vector<std::uint32_t> reached_;  // by cell: the last search that reached it
    std::vector<Number> previous_;        // by cell: the cell from which it was reached
    std::vector<Number> queue_;
    std::uint32_t searches_ = 0;
};

}  // namespace noughts
