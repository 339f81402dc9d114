// Set matching: disjoint sets of empty cells that together stop every line of a side. Pairs are the smallest sets.
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
// on every line that belongs to the set; docs/proofs.md has the rules. Most sets are pairs, found by a matching of
// cells to groups of lines: the lines of a group have cells in common, two of which stop them all. Where a group finds
// no two cells, the groups that it competes with and all of their cells form a larger set, in which the game is played
// out.
class SetMatching {
  public:
    static constexpr int MOST_CELLS = 12;  // of a set

    explicit SetMatching(const Game& game);

    // Whether sets of at most `most_cells` were found that stop every line open to the maker, those without a mark of
    // the breaker. If none were found, that proves nothing.
    bool find(const Position& position, Side maker, int most_cells = MOST_CELLS);
    // The same by pairs alone, found by trial. It takes longer and rarely finds more, except where lines overlap as
    // much as those of polyominoes. False if the limit, which may be null, ends it.
    bool find_pairs_by_trial(const Position& position, Side maker, WorkLimit* limit);
    // The same by a local search of at most `tries` steps, with sets of the pool or, if that is null, with grids, see
    // SetPacking. It may take seconds, and finds sets on boards of three and more dimensions that have too few cells
    // for pairs. If the limit ends it, `pack` returns false, and the next call with the same arguments continues.
    bool has_room_for_packing(const Position& position, Side maker);  // otherwise do not even try
    SetPacking start_packing(const Position& position, Side maker, const SetPool* pool, int tries);
    bool pack(const Position& position, Side maker, SetPacking& packing, WorkLimit& limit);
    const std::vector<std::vector<int>>& sets() const { return sets_; }  // of the last success

  private:
    using Number = std::uint16_t;          // of a cell, a line or a group
    static constexpr int MOST_LINES = 16;  // of a group
    static constexpr int MOST_SPLITS = 24;
    static constexpr int MOST_LACKING = 4;  // cells: if there are fewer for all groups, a search for sets is pointless
    static constexpr Number NOTHING = 0xffff, IN_SET = 0xfffe;  // owners

    struct Cells {
        int count = 0;
        std::array<Number, MAX_LINE_LENGTH> at;

        void add(int cell) { at[count++] = static_cast<Number>(cell); }
        std::span<const Number> list() const { return {at.data(), static_cast<std::size_t>(count)}; }
    };
    struct Group {
        Cells common;  // empty cells that lie on all of its lines
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
    std::vector<Word> masks_;               // line x words
    std::vector<std::vector<Number>> kin_;  // by line: lines before it that share two cells with it
    std::vector<Number> open_;              // lines
    std::vector<Cells> empty_on_;           // by line
    std::vector<Number> group_at_;          // by line
    std::vector<Group> groups_;
    std::vector<Number> owner_;           // by cell: the group that has it
    std::vector<Number> owners_before_;   // a split
    std::vector<std::uint32_t> reached_;  // by cell: the last attempt to
    std::uint32_t attempt_ = 0;
    int splits_left_ = 0, most_cells_ = MOST_CELLS;
    std::vector<std::vector<int>> sets_;
};

}  // namespace noughts
