#include "tactics/threats.hpp"

#include <algorithm>

namespace noughts {

Cell winning_move(const Position& position) {
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

Threat threat_against(const Position& position) {
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

Threat threat_made_by_last_move(const Position& position) {
    Threat threat;
    const auto changes = position.completing_changes();
    threat.count = static_cast<int>(std::min<std::size_t>(changes.size(), 2));
    if (threat.count > 0) threat.cell = changes.front().number();
    return threat;
}

}  // namespace noughts
