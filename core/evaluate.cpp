#include "evaluate.hpp"

#include <algorithm>

namespace noughts {
namespace {

// The cost of being sent where the opponent, once sent back, could complete an outer line is left to the search;
// what the sides hold in the block to be played next is not: see docs/engine.md.
int sent_terms(const Position& position) {
    const Game& game = position.game();
    const Weights& weights = game.data().weights;
    const int block = position.block_to_play();
    if (block < 0) return weights.free_move;
    const Side rival = 1 - position.turn();
    if (!(position.now().outer_completing[rival] >> block & 1)) return 0;
    const auto mask = game.block_mask(block);
    for (int w = 0; w < game.words(); ++w)
        if (position.completing_word(rival, w) & mask[w]) return -weights.exposed;
    return 0;
}

}  // namespace

int evaluate(const Position& position) {
    const Game& game = position.game();
    int score = position.turn() == X ? position.score() : -position.score();
    score += game.data().weights.tempo;
    if (game.blocks() > 1) score += sent_terms(position);
    return std::clamp(score, -MOST_ESTIMATED, MOST_ESTIMATED);
}

bool can_complete(const Position& position, Side side) {
    const Game& game = position.game();
    const LineState rivals = MARKS_MASK << ((1 - side) * O_SHIFT);
    const int count = game.blocks() > 1 ? static_cast<int>(game.start_outer.size()) : game.lines();
    const LineState* lines = game.blocks() > 1 ? position.outer_lines() : position.lines();
    return std::any_of(lines, lines + count, [rivals](LineState line) { return (line & rivals) == 0; });
}

}  // namespace noughts
