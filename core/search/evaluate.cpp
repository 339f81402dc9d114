#include "search/evaluate.hpp"

#include <algorithm>

namespace noughts {
namespace {

// The undecided blocks in which `side` lacks one cell of a line.
Word threatened_blocks(const Position& position, Side side) {
    const Game& game = position.game();
    Word blocks = 0;
    position.completing_cells(side).for_each([&](Cell cell) { blocks |= bit(game.block_of(cell)); });
    return blocks;
}

int lined_up(const Game& game, Word held) {
    int count = 0;
    for (Word line : game.outer_masks()) count += (line & ~held) == 0;
    return count;
}

// The terms beyond line counts: blocks that could be won at once, and where the side to move has been sent.
int block_terms(const Position& position) {
    const Game& game = position.game();
    const Weights& weights = game.data().weights;
    const Side self = position.turn(), rival = opponent(self);
    const PerSide<Word>& won = position.now().won;
    const PerSide<Word> threatened = {{threatened_blocks(position, X), threatened_blocks(position, O)}};
    int score = weights.threatened * (std::popcount(threatened[self]) - std::popcount(threatened[rival]));
    score += weights.lined_up *
             (lined_up(game, won[self] | threatened[self]) - lined_up(game, won[rival] | threatened[rival]));
    const int sent = position.block_to_play();
    if (sent < 0) return score + weights.free_move;
    if (contains(position.now().outer_completing[rival] & threatened[rival], sent)) score -= weights.exposed;
    return score;
}

}  // namespace

int evaluate(const Position& position) {
    int score = position.turn() == X ? position.score() : -position.score();
    score += position.game().data().weights.tempo;
    if (!position.game().has_one_block()) score += block_terms(position);
    return std::clamp(score, -MOST_ESTIMATED, MOST_ESTIMATED);
}

bool can_complete(const Position& position, Side side) {
    const Game& game = position.game();
    const LineState rivals = marks_mask(opponent(side));
    const auto lines = game.has_one_block() ? position.lines() : position.outer_lines();
    return std::ranges::any_of(lines, [rivals](LineState line) { return (line & rivals) == 0; });
}

Reach reach_of(const Position& position) {
    const Side self = position.turn();
    const bool own = can_complete(position, self), others = can_complete(position, opponent(self));
    return position.game().misere() ? Reach{others, own} : Reach{own, others};
}

}  // namespace noughts
