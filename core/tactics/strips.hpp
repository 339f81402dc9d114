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

// The best that a mark makes of the lines through its cell in one strip, if the other side does not reply. A further
// mark is one of the same side in the same strip.
enum class Shape : std::uint8_t {
    NONE,          // no line can be completed
    CLOSED_ONE,    // a further mark could make a CLOSED_TWO
    ONE,           // a TWO
    CLOSED_TWO,    // a CLOSED_THREE
    TWO,           // a THREE, on one or two cells
    SOLID_TWO,     // a THREE, on three or more cells
    CLOSED_THREE,  // a FOUR
    THREE,         // an OPEN_FOUR, on one cell
    SOLID_THREE,   // an OPEN_FOUR, on two or more cells
    FOUR,          // a FIVE, on one cell
    OPEN_FOUR,     // a FIVE, on two or more cells
    FIVE,          // a line is complete
};
inline constexpr int SHAPES = 12;

// The surroundings of a cell in a strip are the cells at a distance of up to `radius`, from left to right. Their state
// as one side sees it is a number of base 3, with one digit per cell, the leftmost lowest.
struct Surroundings {
    enum Digit { EMPTY, OWN, CLOSED };  // CLOSED: marked by the other side, or outside the strip

    int length;    // of a line
    bool guarded;  // a line does not count if a neighbour of it has the same side's mark

    int radius() const { return guarded ? length : length - 1; }
    int digits() const { return 2 * radius(); }
    // The digit of the cell at a distance from -radius to radius, other than 0.
    int digit_at(int distance) const { return distance + radius() - (distance > 0); }
};

// The shapes that a mark would make, by the number of the cell's surroundings; 3^digits is added to it if the cell
// itself is marked, which makes every shape NONE. Computed on first use and kept. At most MAX_DIGITS digits.
std::span<const Shape> shapes_in(const Surroundings& surroundings);
inline constexpr int MAX_DIGITS = 10;

// The strips of a game, and where cells see each other in them.
class Strips {
  public:
    // Nothing if the lines do not form clean strips: they must have one length of at most six cells (five with guards),
    // some must chain, each chain must be a run or a circle of distinct cells whose windows are its lines, all guards
    // must be neighbours in the strip, and a cell must not see another in two strips, nor twice in one.
    static std::optional<Strips> of(const Game& game);

    const Surroundings& surroundings() const { return surroundings_; }
    int strips_of_cell() const { return width_; }  // the most strips through a cell
    // A slot is a cell in one of its strips: cell * strips_of_cell() + i. Slots that are not used see only CLOSED.
    int slots() const { return static_cast<int>(start_.size()); }
    // The surroundings in every slot on an empty board.
    std::span<const std::uint16_t> start() const { return start_; }

    // A slot from which a cell is seen.
    struct View {
        std::uint16_t cell;  // the cell of the slot
        std::uint8_t digit;  // of the cell seen, in the surroundings of the slot
        std::uint8_t strip;  // among the strips of the cell seen, which sees the cell of the slot there, too
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
    std::vector<View> views_;  // by the cell seen
    std::vector<std::uint32_t> first_view_;
};

}  // namespace noughts
