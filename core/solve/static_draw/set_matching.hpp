// Set matching: disjoint sets of empty cells that together stop every line of the maker. The smallest sets are pairs.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "rules/position.hpp"

namespace noughts {

class SetPacking;
class SetPool;

// For static games, see Game::is_static. The breaker answers each move of the maker in the same set, and so gets a mark
// on every line that belongs to the set; docs/proof-format.md gives the rules. Most sets are pairs. They are found by a
// matching of cells to groups of lines that have cells in common, so that two of these cells stop the whole group. If a
// group does not get two cells, it forms a larger set with the groups that it competes with and all of their cells, and
// the game in that set is played out.
class SetMatching {
  public:
    static constexpr int MOST_CELLS = 12;  // of a set

    explicit SetMatching(const Game& game);

    // Whether sets of at most `most_cells` cells were found that stop every line open to the maker (every line without
    // a mark of the breaker). A failure proves nothing.
    bool find(const Position& position, Side maker, int most_cells = MOST_CELLS);
    // Like `find`, with pairs alone, found by trial. Slower, and rarely finds more, except where lines overlap as much
    // as those of polyominoes. False if the limit, which may be null, ends the search.
    bool find_pairs_by_trial(const Position& position, Side maker, WorkLimit* limit);
    // Like `find`, by a local search of at most `tries` steps, with sets of the pool or, if the pool is null, with
    // grids; see SetPacking. May take seconds, but finds sets on boards of three and more dimensions that have too few
    // cells for pairs. If the limit ends it, `pack` returns false, and the next call with the same arguments continues.
    bool has_room_for_packing(const Position& position, Side maker);  // if false, the search is not worth trying
    SetPacking start_packing(const Position& position, Side maker, const SetPool* pool, int tries);
    bool pack(const Position& position, Side maker, SetPacking& packing, WorkLimit& limit);
    const std::vector<std::vector<int>>& sets() const { return sets_; }  // found by the last success

  private:
    using Number = std::uint16_t;          // number of a cell, a line or a group
    static constexpr int MOST_LINES = 16;  // of a group
    static constexpr int MOST_SPLITS = 24;
    // If the groups lack more cells than this in all, a larger set is not worth trying.
    static constexpr int MOST_LACKING = 4;
    static constexpr Number NOTHING = 0xffff, IN_SET = 0xfffe;  // special values of owners

    struct Cells {
        int count = 0;
        std::array<Number, MAX_LINE_LENGTH> at;

        void add(int cell) { at[count++] = static_cast<Number>(cell); }
        std::span<const Number> list() const { return {at.data(), static_cast<std::size_t>(count)}; }
    };
    struct Group {
        Cells common;  // the empty cells that lie on all lines of the group
        int lines = 0;
        std::array<Number, MOST_LINES> line;
    };

    bool passes_through(int line, int cell) const {
        return contains(masks_[static_cast<std::size_t>(line) * game_.words() + word_of(cell)], cell);
    }
    void find_kin();
    bool collect_lines(const Position& position, Side maker);
    bool match(int free, int most_cells);
    std::vector<int> start_matching();
    std::pair<int, int> best_pair(std::span<const Number> cells, std::span<const Number> lines) const;
    void form_groups();
    bool join(Group& group, int line) const;
    Group group_of(std::span<const Number> lines) const;
    bool take_cell(int group);
    bool take_two_cells(int group) { return start_attempt(group) && start_attempt(group); }
    bool start_attempt(int group);
    void release(int group);
    int cells_of(int group) const;
    bool is_reached(int cell) const { return reached_[cell] == attempt_; }
    bool repair_by_splitting(int failed);
    bool split(int group, int first_lines, int failed);
    bool form_set(int failed);
    void list_pairs();
    bool sets_hold() const;

    const Game& game_;
    std::vector<Word> masks_;               // the cells of each line as a bit set, line after line
    std::vector<std::vector<Number>> kin_;  // by line: earlier lines that share two cells with it
    std::vector<Number> open_;              // the lines open to the maker
    std::vector<Cells> empty_on_;           // by line
    std::vector<Number> group_at_;          // by line
    std::vector<Group> groups_;
    std::vector<Number> owner_;           // by cell: the group that owns it
    std::vector<Number> owners_before_;   // owner_ before a split
    std::vector<std::uint32_t> reached_;  // by cell: the last attempt that reached it
    std::uint32_t attempt_ = 0;
    int splits_left_ = 0, most_cells_ = MOST_CELLS;
    std::vector<std::vector<int>> sets_;
};

}  // namespace noughts
