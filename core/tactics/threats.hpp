// Threats: cells on which a side completes a line with its next move. Inline, because searches use this at every node.
#pragma once

#include <algorithm>

#include "rules/position.hpp"

namespace noughts {

// Whether completing a line wins, which it does not in misère.
inline bool completing_wins(const Game& game) { return !game.misere(); }

// Whether every completing cell is a threat: completing a line wins, and the last move does not restrict where to play.
inline bool has_direct_threats(const Game& game) { return game.has_one_block() && completing_wins(game); }

// A legal move that wins at once by completing a line (with several blocks: an outer line); NO_CELL if there is none.
// The position must not be over.
inline Cell winning_move(const Position& position) {
    const Game& game = position.game();
    if (!completing_wins(game)) return NO_CELL;
    const Side side = position.turn();
    if (game.has_one_block()) return (position.completing_cells(side) & position.legal_cells()).first();
    const Word blocks = position.now().outer_completing[side];
    if (blocks == 0) return NO_CELL;
    for (Cell cell : position.completing_cells(side) & position.legal_cells())
        if (contains(blocks, game.block_of(cell))) return cell;
    return NO_CELL;
}

struct Threat {
    int count = 0;        // cells that complete a line; 2 means two or more
    Cell cell = NO_CELL;  // one of these cells
};

// The threats of the opponent of the side to move. Only for games with direct threats.
inline Threat threat_against(const Position& position) {
    Threat threat;
    const auto cells = position.completing_cells(opponent(position.turn())) & position.playable_cells();
    for (int w = 0; w < cells.words() && threat.count < 2; ++w) {
        const Word word = cells.word(w);
        if (!word) continue;
        threat.count += has_several(word) ? 2 : 1;
        threat.cell = w * WORD_BITS + lowest(word);
    }
    return threat;
}

// Like threat_against, after a move in a game without gravity and guards in which the mover could complete no line
// before: then the move itself made all threats, and only the change log has to be read.
inline Threat threat_made_by_last_move(const Position& position) {
    Threat threat;
    const auto changes = position.completing_changes();
    threat.count = static_cast<int>(std::min<std::size_t>(changes.size(), 2));
    if (threat.count > 0) threat.cell = changes.front().number();
    return threat;
}

}  // namespace noughts
