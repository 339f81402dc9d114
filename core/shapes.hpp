// The lines of a game of at most 64 cells as shapes that are moved about: one operation looks at every place at once.
//
// Lines whose cells lie at the same distances from each other are one shape; `starts` are the cells it can start from.
// All rows of four on a board of width 7 are the shape 0 1 2 3 with 4 starts in each row. To find the starts where a set
// of marks fills the shape, the set is shifted down by each distance and the results are intersected with the starts.
// Four shapes are looked at side by side. Any set of lines can be written so; regular boards have four shapes.
#pragma once

#include <array>
#include <vector>

#include "position.hpp"

namespace noughts {

class Shapes {
   public:
    // `bit_of` tells which bit stands for a cell. At most 64 bits.
    Shapes(const Game& game, const std::vector<int>& bit_of);

    // Cells, empty or not, that alone are missing from a line on which `marks` has all others, and no guard.
    Word completing(Word marks) const;
    // Whether `marks` fills a line.
    bool has_line(Word marks) const;
    // Whether there is a line without marks of `rival` that `own` may still complete.
    bool is_open(Word own, Word rival) const;
    // The cells of all such lines.
    Word open_cells(Word own, Word rival) const;

   private:
    static constexpr int LANES = 4;
    using Lanes = Word __attribute__((vector_size(LANES * sizeof(Word))));
    struct Guard {
        Lanes offset, exists;
    };
    struct Group {
        int length = 0;
        Lanes starts{};
        std::array<Lanes, MAX_LINE_LENGTH> offset{};
        std::vector<Guard> guards;
    };
    // A start less than its lowest cell or guard would not do: distances are counted from that one.
    struct Shape {
        std::vector<int> offsets, guards;
        Word starts = 0;
    };

    static std::vector<Shape> find_shapes(const Game& game, const std::vector<int>& bit_of);
    static Lanes all_lanes(Word word) { return Lanes{word, word, word, word}; }
    static Word any_lane(Lanes lanes) { return lanes[0] | lanes[1] | lanes[2] | lanes[3]; }
    static Lanes unspoiled(const Group& group, Lanes own);
    template <int LENGTH>
    static Lanes completing_in(const Group& group, Lanes marks);
    static Lanes open_in(const Group& group, Lanes own, Lanes rival);

    std::vector<Group> groups_;
};

inline Shapes::Lanes Shapes::unspoiled(const Group& group, Lanes own) {
    Lanes starts = group.starts;
    for (const Guard& guard : group.guards) starts &= ~((own >> guard.offset) & guard.exists);
    return starts;
}

// LENGTH 0 stands for any. Lines are read from both ends: what lies before a cell, and what lies behind it.
template <int LENGTH>
inline Shapes::Lanes Shapes::completing_in(const Group& group, Lanes marks) {
    const int length = LENGTH > 0 ? LENGTH : group.length;
    Lanes here[LENGTH > 0 ? LENGTH : MAX_LINE_LENGTH], before[LENGTH > 0 ? LENGTH : MAX_LINE_LENGTH];
    Lanes filled = unspoiled(group, marks);
    for (int i = 0; i < length; ++i) {
        here[i] = marks >> group.offset[i];
        before[i] = filled;
        filled &= here[i];
    }
    Lanes behind = all_lanes(~Word{0}), cells = all_lanes(0);
    for (int i = length - 1; i >= 0; --i) {
        cells |= (before[i] & behind) << group.offset[i];
        behind &= here[i];
    }
    return cells;
}

inline Word Shapes::completing(Word marks) const {
    Lanes cells = all_lanes(0);
    const Lanes everywhere = all_lanes(marks);
    for (const Group& group : groups_) switch (group.length) {
            case 3: cells |= completing_in<3>(group, everywhere); break;
            case 4: cells |= completing_in<4>(group, everywhere); break;
            case 5: cells |= completing_in<5>(group, everywhere); break;
            default: cells |= completing_in<0>(group, everywhere); break;
        }
    return any_lane(cells);
}

inline bool Shapes::has_line(Word marks) const {
    Lanes found = all_lanes(0);
    const Lanes everywhere = all_lanes(marks);
    for (const Group& group : groups_) {
        Lanes filled = unspoiled(group, everywhere);
        for (int i = 0; i < group.length; ++i) filled &= everywhere >> group.offset[i];
        found |= filled;
    }
    return any_lane(found) != 0;
}

inline Shapes::Lanes Shapes::open_in(const Group& group, Lanes own, Lanes rival) {
    Lanes taken = all_lanes(0);
    for (int i = 0; i < group.length; ++i) taken |= rival >> group.offset[i];
    return unspoiled(group, own) & ~taken;
}

inline bool Shapes::is_open(Word own, Word rival) const {
    Lanes found = all_lanes(0);
    for (const Group& group : groups_) found |= open_in(group, all_lanes(own), all_lanes(rival));
    return any_lane(found) != 0;
}

inline Word Shapes::open_cells(Word own, Word rival) const {
    Lanes cells = all_lanes(0);
    for (const Group& group : groups_) {
        const Lanes starts = open_in(group, all_lanes(own), all_lanes(rival));
        for (int i = 0; i < group.length; ++i) cells |= starts << group.offset[i];
    }
    return any_lane(cells);
}

}  // namespace noughts
