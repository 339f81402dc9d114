// Wins within five plies that a threat map shows without a search, and the replies to them.
#pragma once

#include "rules/position.hpp"
#include "tactics/threat_map.hpp"

namespace noughts {

struct StaticWin {
    int plies = 0;  // 0: none
    Cell move = NO_CELL;
};

// A win of the side to move. Neither side may be able to complete a line at once. A win found is a proof:
//
// - DOUBLE_FOUR wins in 3 plies. The mark leaves two cells that complete a line. The opponent has no line to complete
//   and fills one of them.
// - FOUR_THREE wins in 5, if the only reply to the four makes no four for the opponent. After this reply the opponent
//   has no line to complete, and the three is intact: it lies in another strip, and a cell sees no other in two strips.
//   So a further mark makes an OPEN_FOUR, and the first case applies.
// - DOUBLE_THREE wins in 5, if the opponent has no cell that makes a four. One of the threes is in a strip in which the
//   cell does not see the reply, and stays intact; after the reply the opponent has no line to complete.
//
// A mark may spoil lines of its own side by guarding them; shapes take that into account. It never helps the other
// side.
StaticWin static_win(const Position& position, const ThreatMap& map);

// A static win of the side to move that begins on `cell`, the only cell on which the opponent could complete a line.
StaticWin static_win_on(const Position& position, const ThreatMap& map, Cell cell);

// Defence against a static win in five plies.
class StaticDefence {
  public:
    explicit StaticDefence(const Game& game) : replies_(game.cells()), of_one_(game.cells()) {}

    // Whether the opponent would have a static win in five plies if the side to move passed. If so, every move that is
    // not in replies() loses within six plies. Neither side may be able to complete a line at once, and the opponent
    // must not be able to make a DOUBLE_FOUR.
    bool find(const Position& position, const ThreatMap& map);
    const CellSet& replies() const { return replies_; }

  private:
    void find_replies(const Position& position, const ThreatMap& map, Cell cell);

    CellSet replies_;
    CellSet of_one_;  // the replies to one of the wins
};

}  // namespace noughts
