// Threats: cells on which a side completes a line with its next move.
#pragma once

#include "rules/position.hpp"

namespace noughts {

// Whether completing a line wins: not in misère.
inline bool completing_wins(const Game& game) { return !game.misere(); }

// Whether every completing cell is a threat: completing a line wins, and the last move does not restrict where to play.
inline bool has_direct_threats(const Game& game) { return game.has_one_block() && completing_wins(game); }

// A legal move that ends the game in favour of the side to move by completing a line (an outer line, where there are
// several blocks), or NO_CELL. The position must not be over.
Cell winning_move(const Position& position);

struct Threat {
    int count = 0;        // cells that complete a line; 2 means two or more
    Cell cell = NO_CELL;  // one of them
};

// The threat of the opponent of the side to move. Only for games with direct threats.
Threat threat_against(const Position& position);

// The same after a move in a game without gravity and guards, provided that the mover could complete nothing before it:
// then the move itself made all threats, and no search for them is needed.
Threat threat_made_by_last_move(const Position& position);

}  // namespace noughts
