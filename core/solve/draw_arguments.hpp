// Why a side cannot win: arguments that settle a position without search, and moves that need no look.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "rules/position.hpp"

namespace noughts {

class DrawArguments {
  public:
    explicit DrawArguments(const Game& game);

    // Whether `maker` has no line left without a mark of the other side. Any game of one block. Lines spoiled by guards
    // count as open, here and below: a proof then needs to say nothing of guards.
    bool has_no_line(const Position& position, Side maker) const;

    int count_open(const Position& position, Side maker) const;  // lines without a mark of the other side

    // Erdős and Selfridge: over the lines without a mark of the breaker, the sum of 2^-(empty cells). Below 1 with the
    // breaker to move, or below 1/2 with the maker to move, the maker never completes a line: the breaker always takes
    // the cell that lowers the sum most. Bounds the maker only. Static games (Game::is_static); a mark on a guard can
    // only spoil lines for the maker, so guards may be left out of account.
    bool sum_is_small(const Position& position, Side maker) const;
    std::uint32_t sum(const Position& position, Side maker) const;  // in units of 2^-MAX_LINE_LENGTH

    // Disjoint pairs of empty cells such that every line open to the maker holds one: whenever the maker takes one cell
    // of a pair, the breaker takes the other. Empty when none was found (which proves nothing). Static games.
    std::vector<std::pair<int, int>> find_pairing(const Position& position, Side maker) const;

    // Cells worth playing: on a line that is not dead (dead: marks of both sides), and with no other empty cell that
    // lies on all the live lines it lies on; of two that lie on the same ones, the first stays. Who would gain by the
    // cell left out gains as much by the other: play that, and whenever either side would play one of the two, think of
    // the other. Only where marks never hurt.
    void keep_undominated(const Position& position, CellSet& cells) const;

    // An empty cell through which all live lines through `cell` pass, the one that keep_undominated prefers; -1 if
    // none.
    int dominator(const Position& position, int cell) const;

    CellSet live_cells(const Position& position) const;  // empty, on a line that is not dead

  private:
    bool is_dead(LineState line) const { return (line & MARKS_MASK) && (line >> O_SHIFT & MARKS_MASK); }
    bool covers(const Position& position, int cell, int other) const;
    int live_lines(const Position& position, int cell) const;
    bool open_to(const Position& position, int line, Side maker) const;

    std::vector<std::pair<int, int>> find_narrow_pairing(const Position& position, Side maker) const;
    static Word best_pair(Word choice, std::span<const Word> lines);

    const Game& game_;
    std::vector<Word> masks_;         // line x words
    mutable std::vector<Word> open_;  // of find_narrow_pairing, kept for its memory
};

}  // namespace noughts
