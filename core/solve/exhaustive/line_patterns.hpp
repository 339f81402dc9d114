// The lines of a game of at most 64 cells as patterns: one operation tests all lines of a pattern at once.
//
// Lines whose cells lie at the same distances from each other form a pattern; `starts` are the cells at which it can
// start. All rows of four on a board of width 7 are the pattern 0 1 2 3 with 4 starts in each row. To find the starts
// at which a set of marks fills the pattern, the set is shifted down by each distance and the results are intersected
// with the starts. Four patterns are tested in parallel. Any set of lines can be written this way; regular boards have
// four patterns.
#pragma once

#include <array>
#include <vector>

#include "rules/position.hpp"
#include "support/machine.hpp"

namespace noughts {

class LinePatterns {
  public:
    // `bit_of` maps each cell to its bit, below 64.
    LinePatterns(const Game& game, const std::vector<int>& bit_of);

    // The cells, empty or not, that complete a line together with `marks`; lines with a guard in `marks` do not count.
    Word completing(Word marks) const;
    // Whether `marks` fills a line.
    bool has_line(Word marks) const;
    // Whether some line holds no mark of `rival`, so that `own` may still complete it.
    bool is_open(Word own, Word rival) const;
    // The cells of all lines that hold no mark of `rival`.
    Word open_cells(Word own, Word rival) const;

  private:
    static constexpr int LANES = 4;
    struct Guard {
        Lanes offset, exists;
    };
    struct Group {
        int length = 0;
        Lanes starts{};
        std::array<Lanes, MAX_LINE_LENGTH> offset{};
        std::vector<Guard> guards;
    };
    // Distances are counted from the lowest cell or guard, so that none is negative.
    struct Pattern {
        std::vector<int> offsets, guards;
        Word starts = 0;
    };

    static std::vector<Pattern> find_patterns(const Game& game, const std::vector<int>& bit_of);
    // Lanes are passed by reference: the calling convention for passing them by value depends on the target processor.
    static Word any_lane(const Lanes& lanes) { return lanes[0] | lanes[1] | lanes[2] | lanes[3]; }
    static void drop_spoiled(const Group& group, const Lanes& own, Lanes& starts);
    static void find_open(const Group& group, const Lanes& own, const Lanes& rival, Lanes& starts);
    template <int LENGTH>
    static void add_completing(const Group& group, const Lanes& marks, Lanes& cells);

    std::vector<Group> groups_;
};

inline void LinePatterns::drop_spoiled(const Group& group, const Lanes& own, Lanes& starts) {
    for (const Guard& guard : group.guards) starts &= ~((own >> guard.offset) & guard.exists);
}

// Adds the cells that complete a line of the patterns in the group; LENGTH 0 stands for any length. For each cell of a
// pattern, tests whether the marks fill the cells before it and those after it.
template <int LENGTH>
inline void LinePatterns::add_completing(const Group& group, const Lanes& marks, Lanes& cells) {
    const int length = LENGTH > 0 ? LENGTH : group.length;
    Lanes here[LENGTH > 0 ? LENGTH : MAX_LINE_LENGTH], before[LENGTH > 0 ? LENGTH : MAX_LINE_LENGTH];
    Lanes filled = group.starts;
    drop_spoiled(group, marks, filled);
    for (int i = 0; i < length; ++i) {
        here[i] = marks >> group.offset[i];
        before[i] = filled;
        filled &= here[i];
    }
    Lanes behind = ~Lanes{};
    for (int i = length - 1; i >= 0; --i) {
        cells |= (before[i] & behind) << group.offset[i];
        behind &= here[i];
    }
}

inline Word LinePatterns::completing(Word marks) const {
    Lanes cells{};
    const Lanes everywhere = Lanes{} | marks;
    for (const Group& group : groups_) switch (group.length) {
            case 3: add_completing<3>(group, everywhere, cells); break;
            case 4: add_completing<4>(group, everywhere, cells); break;
            case 5: add_completing<5>(group, everywhere, cells); break;
            default: add_completing<0>(group, everywhere, cells); break;
        }
    return any_lane(cells);
}

inline bool LinePatterns::has_line(Word marks) const {
    Lanes found{};
    const Lanes everywhere = Lanes{} | marks;
    for (const Group& group : groups_) {
        Lanes filled = group.starts;
        drop_spoiled(group, everywhere, filled);
        for (int i = 0; i < group.length; ++i) filled &= everywhere >> group.offset[i];
        found |= filled;
    }
    return any_lane(found) != 0;
}

inline void LinePatterns::find_open(const Group& group, const Lanes& own, const Lanes& rival, Lanes& starts) {
    starts = group.starts;
    drop_spoiled(group, own, starts);
    for (int i = 0; i < group.length; ++i) starts &= ~(rival >> group.offset[i]);
}

inline bool LinePatterns::is_open(Word own, Word rival) const {
    Lanes found{}, starts;
    for (const Group& group : groups_) {
        find_open(group, Lanes{} | own, Lanes{} | rival, starts);
        found |= starts;
    }
    return any_lane(found) != 0;
}

inline Word LinePatterns::open_cells(Word own, Word rival) const {
    Lanes cells{}, starts;
    for (const Group& group : groups_) {
        find_open(group, Lanes{} | own, Lanes{} | rival, starts);
        for (int i = 0; i < group.length; ++i) cells |= starts << group.offset[i];
    }
    return any_lane(cells);
}

}  // namespace noughts
