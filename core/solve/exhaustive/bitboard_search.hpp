// Exhaustive search for games of one block and at most 64 cells. A position is two words, copied at each move instead
// of undone.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "rules/symmetry.hpp"
#include "solve/exhaustive/exhaustive_search.hpp"
#include "solve/exhaustive/line_patterns.hpp"

namespace noughts {

// Maps cells to bits, and knows which cells rest on which. If every cell rests on at most one and carries at most one,
// the cells form columns; then the bits of a column are consecutive, from the bottom up, with one spare bit, if they
// fit:
//
//     (3)(7)(11)      One word then holds the whole position: the marks of the side to move and, in each column, a bit
//      2  6  10       on the lowest empty cell. The topmost bit of a column gives its height, the bits below it the
//      1  5   9       owners of the marks.
//      0  4   8
class BitboardLayout {
  public:
    explicit BitboardLayout(const Game& game);
    static bool fits(const Game& game) { return game.blocks() == 1 && game.cells() <= 64; }

    Word playable(Word filled) const {
        Word cells = all & ~filled;
        for (const Support& support : supports) cells &= ~(support.resting & ~shifted(filled, -support.shift));
        return cells;
    }
    // The cells directly below `cells`.
    Word under(Word cells) const {
        Word result = 0;
        for (const Support& support : supports) result |= shifted(cells & support.resting, support.shift);
        return result;
    }
    Word to_bits(const Position& position, Side side) const;

    bool fits_one_word() const { return stacked || cell_of.size() <= 32; }
    std::uint64_t one_word(Word own, Word filled) const {
        return stacked ? own | (filled + bottom) : own | filled << 32;
    }

    std::vector<int> bit_of, cell_of;  // cell_of is -1 for spare bits
    bool in_columns = false;           // gravity, and every cell rests on at most one and carries at most one
    bool stacked = false;              // the layout drawn above
    bool has_gravity = false;
    Word all = 0;
    Word bottom = 0;                        // the lowest cell of each column
    Word lower = 0;                         // cells that have an odd number of cells above them in their column
    std::array<Word, 64> above{}, below{};  // the cells above and below a bit in its column

  private:
    struct Support {
        int shift;     // distance from a cell to the cell it rests on
        Word resting;  // the cells for which `shift` is this distance
    };
    static Word shifted(Word word, int by) { return by >= 0 ? word << by : word >> -by; }
    std::vector<std::vector<int>> columns_of(const Game& game) const;
    void stack(const std::vector<std::vector<int>>& columns);
    void index_supports(const Game& game);

    std::vector<Support> supports;
};

// For games that fit BitboardLayout::fits. The first of the symmetries must be the identity.
std::unique_ptr<ExhaustiveSearch> make_bitboard_search(const Game& game, std::size_t bytes,
                                                       const std::vector<Permutation>& symmetries);

}  // namespace noughts
