// Strips: lines that overlap in all but one cell, chained up into runs and circles of cells, and the shapes that a mark
// can make in them.
//
//     lines of 3        a b c                   the strip      a b c d e
//                         b c d
//                           c d e               windows of 3 cells are its lines
//
// Shapes have the names of five in a row for lines of any length k: FIVE is a complete line.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rules/game.hpp"

namespace noughts {

// The best shape that a mark makes in the lines through its cell in one strip, if the other side does not reply. A
// "further mark" below is a mark of the same side in the same strip.
enum class Shape : std::uint8_t {
    NONE,          // no line can be completed
    CLOSED_ONE,    // a further mark makes a CLOSED_TWO
    ONE,           // a further mark makes a TWO
    CLOSED_TWO,    // a further mark makes a CLOSED_THREE
    TWO,           // a further mark makes a THREE, on one or two cells
    SOLID_TWO,     // a further mark makes a THREE, on three or more cells
    CLOSED_THREE,  // a further mark makes a FOUR
    THREE,         // a further mark makes an OPEN_FOUR, on one cell
    SOLID_THREE,   // a further mark makes an OPEN_FOUR, on two or more cells
    FOUR,          // a further mark makes a FIVE, on one cell
    OPEN_FOUR,     // a further mark makes a FIVE, on two or more cells
    FIVE,          // a line is complete
};
inline constexpr int SHAPES = 12;

// The surroundings of a cell in a strip: the cells at a distance of up to `radius`, from left to right. Their state
// from the view of one side is a number in base 3 with one digit for each cell, the leftmost cell lowest.
struct Surroundings {
    enum Digit { EMPTY, OWN, CLOSED };  // CLOSED: marked by the other side, or outside the strip

    int length;    // of a line
    bool guarded;  // whether a line does not count if a cell next to it has a mark of the same side

    int radius() const { return guarded ? length : length - 1; }
    int digits() const { return 2 * radius(); }
    // The digit of the cell at a distance from -radius to radius, but not 0.
    int digit_at(int distance) const { return distance + radius() - (distance > 0); }
};

// The shape that a mark on a cell would make, by the number of its surroundings. If the cell itself is marked, 3^digits
// is added to the number, and the shape is NONE. Computed on first use and kept. For at most MAX_DIGITS digits.
std::span<const Shape> shapes_in(const Surroundings& surroundings);
inline constexpr int MAX_DIGITS = 10;

// The strips of a game, and the slots from which cells see each other.
class Strips {
  public:
    // Nothing if the lines do not form clean strips. All lines must have the same length, of at most six cells (five
    // with guards). Some lines must chain, and each chain must be a run or a circle of distinct cells whose windows are
    // its lines. All guards must be neighbours in the strip. No cell may see another in two strips, or twice in one.
    static std::optional<Strips> of(const Game& game);

    const Surroundings& surroundings() const { return surroundings_; }
    int strips_of_cell() const { return width_; }  // the largest number of strips through a cell
    // A slot is a cell in one of its strips, with the number cell * strips_of_cell() + i. Unused slots see only CLOSED
    // cells.
    int slots() const { return static_cast<int>(start_.size()); }
    // The surroundings in every slot on an empty board.
    std::span<const std::uint16_t> start() const { return start_; }

    // A slot that sees a given cell.
    struct View {
        std::uint16_t cell;  // the cell of the slot
        std::uint8_t digit;  // place of the given cell in the surroundings of the slot
        // Number of the strip among those of the given cell, in which that cell sees the cell of the slot.
        std::uint8_t strip;
        std::uint32_t slot;
    };
    std::span<const View> views_of(Cell cell) const {
        return {views_.data() + first_view_[cell], views_.data() + first_view_[cell + 1]};
    }
    int views() const { return static_cast<int>(views_.size()); }

  private:
    friend class StripFinder;

    Surroundings surroundings_{};
    int width_ = 0;
    std::vector<std::uint16_t> start_;
    std::vector<View> views_;  // ordered by the cell that is seen
    std::vector<std::uint32_t> first_view_;
};

}  // namespace noughts
