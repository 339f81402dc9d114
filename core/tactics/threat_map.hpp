// For each empty cell and side, the shapes that a mark there would make; updated by play and undo.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "rules/position.hpp"
#include "tactics/strips.hpp"

namespace noughts {

// The shapes of a cell in all its strips together. TWO and THREE include the solid shapes; closed shapes and ONE do not
// count.
enum class CellClass : std::uint8_t {
    NONE,
    TWO,
    DOUBLE_TWO,  // TWO in two or more strips
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

// A set of classes, one bit each. PRESSING is an additional property: a mark on the cell makes a CLOSED_THREE or better
// in some strip, so that a further mark makes a FOUR.
using ClassSet = std::uint16_t;
constexpr ClassSet class_set(CellClass cell_class) { return static_cast<ClassSet>(1u << static_cast<int>(cell_class)); }
template <typename... Classes>
constexpr ClassSet class_set(CellClass first, Classes... others) {
    return static_cast<ClassSet>(class_set(first) | class_set(others...));
}
inline constexpr ClassSet PRESSING = 1u << CELL_CLASSES;
// A mark on such a cell leaves the opponent at most one reply, unless the opponent can complete a line.
inline constexpr ClassSet MAKES_FOUR =
    class_set(CellClass::FOUR, CellClass::FOUR_TWO, CellClass::FOUR_THREE, CellClass::DOUBLE_FOUR);
// A mark on such a cell threatens to make an OPEN_FOUR. A DOUBLE_FOUR may do so too, but threatens more.
inline constexpr ClassSet MAKES_THREE =
    class_set(CellClass::THREE, CellClass::THREE_TWO, CellClass::DOUBLE_THREE, CellClass::FOUR_THREE);

// Additive weights of shapes and classes. Their meaning is up to the caller, who may pack several numbers into one.
// NONE has weight 0.
struct ThreatWorths {
    std::array<std::int64_t, SHAPES> shapes{};
    std::array<std::int64_t, CELL_CLASSES> classes{};
};

class ThreatMap {
  public:
    static constexpr int MAX_STRIPS = 7;  // through a cell: counts have three bits

    // Whether the lines of the game form strips (see Strips::of), with at most MAX_STRIPS through a cell.
    static bool supports(const Game& game) { return strips_of(game) != nullptr; }
    // The strips of a supported game; null for others.
    static std::shared_ptr<const Strips> strips_of(const Game& game);
    // The map of a position; nothing if the game is not supported.
    static std::optional<ThreatMap> of(const Position& position, const ThreatWorths& worths = {});

    // Sets the map to the marks of a position. undo() cannot go back beyond this.
    void reset(const Position& position);
    // The cell must be empty.
    void play(Cell cell, Side side);
    // Reverts the last play.
    void undo();

    // The class of a mark of `side` on a cell; NONE if the cell is not empty.
    CellClass of(Side side, Cell cell) const { return class_in(cells_[cell].codes[side]); }
    // The shape of a mark of `side` in the i-th strip of a cell, with i below strips_of_cell().
    Shape shape(Side side, Cell cell, int strip) const { return shapes_[half(keys_[cell * width_ + strip], side)]; }
    int strips_of_cell() const { return width_; }
    // Calls `visit(other, strip, shape)` for every cell that `cell` sees, empty or not: with the number of the strip,
    // and with the shape that a mark of `side` on `cell` would make there if the opponent also had a mark on `other`.
    // If `other` is not empty, the shape is meaningless.
    template <typename Visit>
    void for_each_seen(Side side, Cell cell, Visit&& visit) const {
        const int digits = strips_->surroundings().digits();
        for (const Strips::View& view : strips_->views_of(cell)) {
            const Key key = keys_[cell * width_ + view.strip] + deltas_[opponent(side)][digits - 1 - view.digit];
            visit(Cell{view.cell}, int{view.strip}, shapes_[half(key, side)]);
        }
    }

    // The empty cells whose class is in a set that does not contain NONE.
    auto cells(Side side, ClassSet classes) const {
        return CellView(words_, [this, side, classes](int w) {
            const Word* sets = sets_.data() + (static_cast<std::size_t>(w) * 2 + index(side)) * SETS;
            Word word = 0;
            for (unsigned rest = classes; rest; rest &= rest - 1) word |= sets[std::countr_zero(rest)];
            return word;
        });
    }
    // The number of cells of a class other than NONE.
    int count(Side side, CellClass cell_class) const { return cells(side, class_set(cell_class)).count(); }
    bool has(Side side, ClassSet classes) const { return !cells(side, classes).is_empty(); }

    // The sum of the weights of all shapes and classes, over all empty cells and strips.
    std::int64_t worth(Side side) const { return worth_[side]; }

  private:
    static constexpr int SETS = CELL_CLASSES + 1;

    // Holds a number for X in the lower half and one for O in the upper, so that one addition changes both.
    using Key = std::uint64_t;
    using Tallies = std::uint32_t;
    static constexpr Key key_of(Key x, Key o) { return x + (o << 32); }
    static std::uint32_t half(Key key, Side side) { return static_cast<std::uint32_t>(key >> (32 * index(side))); }

    static constexpr CellClass class_in(std::uint8_t code) { return static_cast<CellClass>(code & 0xf); }
    struct CellState {
        Tallies tallies = 0;          // number of strips with each kind of shape
        PerSide<std::uint8_t> codes;  // the class, and whether the cell is PRESSING
        std::uint16_t cell = 0;
    };
    struct Frame {
        SidedCell played;
        std::uint32_t changes;        // length of the undo stack before the move
        PerSide<std::int64_t> worth;  // before the move
    };

    ThreatMap(const Game& game, std::shared_ptr<const Strips> strips, const ThreatWorths& worths);

    void set_marked(Cell cell, bool marked);
    void add_worths(Cell cell, int sign);
    void set_tallies(Cell cell, Tallies tallies);
    void move_between_sets(Cell cell, Side side, std::uint8_t before, std::uint8_t after);

    std::shared_ptr<const Strips> strips_;
    const Shape* shapes_;  // by surroundings
    ThreatWorths worths_;
    int width_, words_;
    PerSide<std::array<Key, MAX_DIGITS>> deltas_{};  // change of a key by a mark in each digit of the surroundings
    Key marked_delta_;                               // change of a key by a mark on the cell itself
    std::vector<Key> keys_;                          // by slot: the surroundings from the view of either side
    std::vector<CellState> cells_;
    std::vector<Word> sets_;  // sets of cells, by word, side and class
    PerSide<std::int64_t> worth_{};
    std::vector<Frame> frames_;
    std::vector<CellState> changes_;  // undo stack: states of cells before each move
    std::size_t last_change_ = 0;
};

}  // namespace noughts
