// Packs disjoint sets of cells that stop lines: sets of a pool, grids of three by three lines, and pairs for all
// others.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "solve/static_draw/set_pool.hpp"

namespace noughts {

// A local search puts sets on the board, one after another, each in place of those in its way, and keeps those that
// leave the lines as a whole no shorter of cells than before; each line without a set needs a pair of its own.
// docs/proofs.md explains why the result stops the maker, and SetMatching checks it.
//
// Three lines that cross three others form a grid of nine cells, in which the breaker stops all six lines, for which
// pairs would need twelve cells. Sets of a pool need even fewer.
class SetPacking {
  public:
    using Number = SetPool::Number;
    using Pair = std::array<Number, 2>;

    // Lines are lists of different cells below `cells`; those without cells are closed and count for nothing. The pool
    // of the same lines may be null, and must outlive this. At most `tries` sets are tried in all.
    SetPacking(std::vector<std::vector<Number>> lines, int cells, const SetPool* pool, int tries);

    // Whether each line got a set, and `accept()` agreed, after at most `most` tries. The next call continues.
    bool find(int most, const std::function<bool()>& accept);
    int tries_left() const { return tries_left_; }
    std::vector<Pair> pairs() const;
    const std::vector<StoppingSet>& sets() const { return state_.sets; }

  private:
    static constexpr Number NOTHING = 0xffff, IN_SET = 0xfffe;  // owners
    static constexpr int GRID_SIDE = 3, GRID_LINES = 6;

    struct State {
        std::vector<Number> owner;       // by cell: the line that has it
        std::vector<std::uint8_t> held;  // by line: cells of its own, up to two
        std::vector<bool> is_in_set;     // by line
        std::vector<StoppingSet> sets;
        int lacking = 0;  // cells, of all lines
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
    std::vector<std::vector<Number>> through_;  // by cell: lines
    const SetPool* pool_;
    int tries_left_;
    State state_, before_;
    std::mt19937 random_;
    // Of a breadth-first search for a cell:
    std::vector<std::uint32_t> reached_;  // by cell: the last search to
    std::vector<Number> previous_;        // by cell
    std::vector<Number> queue_;
    std::uint32_t searches_ = 0;
};

}  // namespace noughts
