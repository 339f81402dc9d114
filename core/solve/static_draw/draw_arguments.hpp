// Arguments without search: some show that a side cannot win, others that moves may be left out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rules/position.hpp"

namespace noughts {

// Strategy stealing, on an empty board where marks never hurt: if the second player could win, the first would make any
// move, then play as the second, and the extra mark would never hurt.
bool second_player_cannot_win(const Position& position);

// For static games (Game::is_static), in which the breaker may play on any empty cell. A line is open to the maker if
// it holds no mark of the breaker. Lines spoiled by guards count as open: a mark on a guard can only spoil a line for
// the maker, and so a proof need not mention guards.
class DrawArguments {
  public:
    explicit DrawArguments(const Game& game);

    bool has_no_line(const Position& position, Side maker) const;  // whether no line is open to the maker
    int count_open(const Position& position, Side maker) const;

    // Erdős and Selfridge: the potential is the sum of 2^-(empty cells) over the lines open to the maker. If it is
    // below 1 with the breaker to move, or below 1/2 with the maker to move, the breaker can keep the maker from
    // completing a line by always taking the cell that lowers the potential most.
    bool potential_is_low(const Position& position, Side maker) const;
    std::uint32_t potential(const Position& position, Side maker) const;  // in units of 2^-MAX_LINE_LENGTH

    // --- only where marks never hurt, see Game::marks_never_hurt ---

    // The empty cells on live lines. A line with marks of both sides is dead.
    CellSet live_cells(const Position& position) const;

    // A cell is dominated if another empty cell lies on all live lines through it; of two cells on the same live lines,
    // the first dominates. Playing the dominating cell is at least as good for either side: a strategy that uses the
    // dominated cell can use the other one instead.
    int dominator(const Position& position, int cell) const;  // NO_CELL if the cell is not dominated
    void keep_undominated(const Position& position, CellSet& cells) const;

  private:
    static bool is_dead(LineState line) { return (line & MARKS_MASK) && (line >> O_SHIFT & MARKS_MASK); }
    std::span<const Word> mask(int line) const {
        const auto words = static_cast<std::size_t>(game_.words());
        return {masks_.data() + line * words, words};
    }
    bool passes_through(int line, Cell cell) const { return contains(mask(line)[word_of(cell)], cell); }
    bool is_open(const Position& position, int line, Side maker) const;
    bool covers(const Position& position, int cell, int other) const;
    int count_live_lines(const Position& position, int cell) const;

    const Game& game_;
    std::vector<Word> masks_;  // line x words
};

}  // namespace noughts
