// A static argument for boards of columns: the rival follows up.
#pragma once

#include <bit>

#include "solve/exhaustive/bitboard_search.hpp"
#include "solve/exhaustive/line_patterns.hpp"

namespace noughts {

// If the number of empty cells is even, the rival of the side to move can follow up. In a column with an even number of
// empty cells it answers a move with the cell above. The other columns are even in number; the rival pairs them,
// answers the lowest empty cell of one with that of its partner, and continues there as in the first kind. Of the empty
// cells the side to move then gets the lower ones, those with an odd number of cells above, and one of the lowest cells
// in each pair of columns; the rival gets all others. So, for any moves of that side:
//
// - If these cells and its marks contain no line, it does not win.
// - If moreover the rival's cells and marks contain a line, it loses, since in the end all cells are taken.
//
// Two observations make the argument stronger:
//
// - If an upper cell completes a line of the rival, the side to move gets nothing above it: the rival wins there.
// - If a lower cell completes a line of the rival, the rival may give up the cell below it, and all above, by never
//   playing in that column from there on. The side to move loses if it does. The rest of the column counts as the whole
//   column, which makes its upper cells lower ones and the other way round, and an odd number of empty cells even. The
//   side to move runs out of other moves first, and loses.
class FollowUp {
  public:
    // The layout and the patterns must outlive this object.
    FollowUp(const BitboardLayout& board, const LinePatterns& patterns) : board_(board), patterns_(patterns) {}
    static bool fits(const Game& game, const BitboardLayout& board) {
        return board.in_columns && !game.has_guards() && !game.misere();
    }

    // A position from the view of the side to move. `rival_wins` are the empty cells that complete a line of the rival;
    // none of them may be playable.
    struct View {
        Word own, rival, rival_wins, playable;
    };
    // Whether the argument shows that the side to move does not reach the goal: 1 a win, 0 at least a draw.
    bool refutes(const View& view, int goal) const {
        const Word empty = board_.all & ~(view.own | view.rival);
        const Division whole = divide(view);
        const Word limits = view.rival_wins & board_.lower;
        if (std::popcount(empty) % 2 == 0)
            return ((goal == 1 || rival_gets_line(view, empty)) && excludes_win(view, empty, whole)) ||
                   (has_several(limits) && refutes_by_two(view, empty, whole, limits));
        for (Word cells = limits; cells; cells &= cells - 1)
            if (excludes_win(view, empty, limited(whole, std::countr_zero(cells)))) return true;
        return false;
    }

  private:
    // The lower cells, and the cells that the side to move never gets.
    struct Division {
        Word lower, unreachable;
    };

    Division divide(const View& view) const {
        Division whole{board_.lower, 0};
        for (Word cells = view.rival_wins & ~board_.lower; cells; cells &= cells - 1)
            whole.unreachable |= board_.above[std::countr_zero(cells)];
        return whole;
    }
    // The division after the rival has given up the cell below `at` and all cells above that.
    Division limited(const Division& division, int at) const {
        const Word kept = board_.below[at], others = ~(kept | bit(at) | board_.above[at]);
        return {(division.lower & others) | (kept & ~board_.lower), division.unreachable & others};
    }
    bool refutes_by_two(const View& view, Word empty, const Division& whole, Word limits) const {
        for (; limits; limits &= limits - 1) {
            const int first = std::countr_zero(limits);
            const Division division = limited(whole, first);
            for (Word others = limits & (limits - 1) & ~board_.above[first] & ~board_.below[first]; others;
                 others &= others - 1)
                if (excludes_win(view, empty, limited(division, std::countr_zero(others)))) return true;
        }
        return false;
    }
    bool rival_gets_line(const View& view, Word empty) const {
        return patterns_.has_line(view.rival | (empty & ~board_.lower & ~view.playable));
    }
    bool excludes_win(const View& view, Word empty, const Division& division) const {
        const Word most = view.own | (((empty & division.lower) | view.playable) & ~division.unreachable);
        if (!patterns_.has_line(most)) return true;
        const Word lowest = view.playable & ~division.lower;  // in columns with an odd number of empty cells
        return lowest != 0 && std::popcount(lowest) <= MOST_PAIRED && pairs_exclude_line(most, lowest);
    }
    // Whether the rival can pair the `lowest` cells so that `most`, less one cell of each pair, contains no line. The
    // pairs are fixed from the start, so the second pair must not depend on which cell of the first the side to move
    // gets. With at most four cells it does not: the first pair determines the second.
    bool pairs_exclude_line(Word most, Word lowest) const {
        if (lowest == 0) return !patterns_.has_line(most);
        const Word first = lowest & -lowest, others = lowest & ~first;
        for (Word cells = others; cells; cells &= cells - 1) {
            const Word partner = cells & -cells, rest = others & ~partner;
            if (pairs_exclude_line(most & ~first, rest) && pairs_exclude_line(most & ~partner, rest)) return true;
        }
        return false;
    }

    static constexpr int MOST_PAIRED = 4;

    const BitboardLayout& board_;
    const LinePatterns& patterns_;
};

}  // namespace noughts
