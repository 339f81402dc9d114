// What a mark of either side on each empty cell would make, kept up to date by play and undo.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "rules/position.hpp"
#include "tactics/strips.hpp"

namespace noughts {

// The shapes of a cell in all its strips together. TWO and THREE include the solid ones; closed shapes and ones do not
// count.
enum class CellClass : std::uint8_t {
    NONE,
    TWO,
    DOUBLE_TWO,  // two or more
    THREE,
    THREE_TWO,
    FOUR,
    FOUR_TWO,
    DOUBLE_THREE,
    FOUR_THREE,
    DOUBLE_FOUR,  // two or more cells complete a line after the mark: an OPEN_FOUR, or several FOURs
    FIVE,
};
inline constexpr int CELL_CLASSES = 11;

// A set of classes, one bit each.
using ClassSet = std::uint16_t;
constexpr ClassSet class_set(CellClass cell_class) { return static_cast<ClassSet>(1u << static_cast<int>(cell_class)); }
template <typename... Classes>
constexpr ClassSet class_set(CellClass first, Classes... others) {
    return static_cast<ClassSet>(class_set(first) | class_set(others...));
}
// A mark there leaves exactly one reply, or none, unless the opponent can complete a line.
inline constexpr ClassSet MAKES_FOUR =
    class_set(CellClass::FOUR, CellClass::FOUR_TWO, CellClass::FOUR_THREE, CellClass::DOUBLE_FOUR);
// A mark there threatens to make an OPEN_FOUR. A DOUBLE_FOUR may do so, too, but threatens more.
inline constexpr ClassSet MAKES_THREE =
    class_set(CellClass::THREE, CellClass::THREE_TWO, CellClass::DOUBLE_THREE, CellClass::FOUR_THREE);

// Additive worths of shapes and of classes. The caller decides what the numbers mean, and may pack several into one.
// NONE is worth nothing.
struct ThreatWorths {
    std::array<std::int64_t, SHAPES> shapes{};
    std::array<std::int64_t, CELL_CLASSES> classes{};
};

class ThreatMap {
  public:
    // Whether the lines of a game form strips, see Strips::of.
    static bool supports(const Game& game) { return Strips::of(game).has_value(); }
    // The map of a position, or nothing if its game is not supported.
    static std::optional<ThreatMap> of(const Position& position, const ThreatWorths& worths = {});

    // Replaces everything by the marks of a position; undo() does not lead back behind it.
    void reset(const Position& position);
    // The cell must be empty.
    void play(Cell cell, Side side);
    // Reverts the last play.
    void undo();

    // The class of a mark of `side` on a cell; NONE if the cell is not empty.
    CellClass of(Side side, Cell cell) const { return static_cast<CellClass>(classes_[cell * 2 + index(side)]); }
    // The shape of the same in the cell's i-th strip, of strips_of_cell(). The cell must be empty.
    Shape shape(Side side, Cell cell, int strip) const { return shapes_[index_of(side, keys_[cell * width_ + strip])]; }
    int strips_of_cell() const { return width_; }

    // The number of cells of a class other than NONE.
    int count(Side side, CellClass cell_class) const {
        return counts_[index(side)][static_cast<std::size_t>(cell_class)];
    }
    bool has(Side side, ClassSet classes) const { return (present_[index(side)] & classes) != 0; }
    // The empty cells whose class is in a set, which must not hold NONE.
    auto cells(Side side, ClassSet classes) const {
        return CellView(words_, [this, side, classes](int w) {
            const Word* sets = sets_.data() + (static_cast<std::size_t>(w) * 2 + index(side)) * CELL_CLASSES;
            Word word = 0;
            for (unsigned rest = classes; rest; rest &= rest - 1) word |= sets[std::countr_zero(rest)];
            return word;
        });
    }
    // The empty cells on which a mark makes a CLOSED_THREE or better in some strip: a further mark makes a FOUR.
    const CellSet& pressing(Side side) const { return pressing_[side]; }

    // The sum over all empty cells and strips of the worths of their shapes and classes.
    std::int64_t worth(Side side) const { return worth_[index(side)]; }

  private:
    ThreatMap(const Game& game, Strips strips, const ThreatWorths& worths);

    static int index_of(Side side, std::uint32_t key) { return side == X ? key & 0xffff : key >> 16; }
    template <bool FORWARD>
    void update_views(Cell cell, Side side);
    void enter(Cell cell);
    void leave(Cell cell);
    void change_shape(Cell cell, Side side, Shape before, Shape after);
    void set_tally(Cell cell, Side side, std::uint32_t tally);

    Strips strips_;
    const Shape* shapes_;  // by surroundings
    ThreatWorths worths_;
    int width_, words_;
    PerSide<std::array<std::uint32_t, MAX_DIGITS>> deltas_{};  // of a key, by a mark in a digit of the surroundings
    std::vector<std::uint32_t> keys_;      // by slot: the surroundings as X sees them, and << 16 as O does
    std::vector<std::uint32_t> tallies_;   // by cell and side: the number of strips with each kind of shape
    std::vector<std::uint8_t> classes_;    // by cell and side
    std::vector<std::uint8_t> is_marked_;  // by cell
    std::vector<Word> sets_;               // of cells, by word, side and class
    PerSide<CellSet> pressing_;
    std::array<std::array<std::int16_t, CELL_CLASSES>, 2> counts_{};
    std::array<ClassSet, 2> present_{};  // the classes whose count is not zero
    std::array<std::int64_t, 2> worth_{};
    std::vector<SidedCell> played_;
};

}  // namespace noughts
