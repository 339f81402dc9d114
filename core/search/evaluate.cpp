#include "search/evaluate.hpp"

#include <algorithm>

namespace noughts {
namespace {

// Undecided blocks in which `side` lacks one cell of a line.
Word threatened_blocks(const Position& position, Side side) {
    const Game& game = position.game();
    Word blocks = 0;
    for (int w = 0; w < game.words(); ++w)
        for (Word cells = position.completing_word(side, w); cells; cells &= cells - 1)
            blocks |= Word{1} << game.block_of(w * 64 + std::countr_zero(cells));
    return blocks;
}

int lined_up(const Game& game, Word held) {
    int count = 0;
    for (Word line : game.outer_masks) count += (line & ~held) == 0;
    return count;
}

// What the line counts do not see: blocks that could be won at once, and where the side to move has been sent.
int block_terms(const Position& position) {
    const Game& game = position.game();
    const Weights& weights = game.data().weights;
    const Side self = position.turn(), rival = 1 - self;
    const Word* won = position.now().won;
    const Word threatened[2] = {threatened_blocks(position, X), threatened_blocks(position, O)};
    int score = weights.threatened * (std::popcount(threatened[self]) - std::popcount(threatened[rival]));
    score += weights.lined_up *
             (lined_up(game, won[self] | threatened[self]) - lined_up(game, won[rival] | threatened[rival]));
    const int sent = position.block_to_play();
    if (sent < 0) return score + weights.free_move;
    if (position.now().outer_completing[rival] & threatened[rival] & Word{1} << sent) score -= weights.exposed;
    return score;
}

}  // namespace

int evaluate(const Position& position) {
    int score = position.turn() == X ? position.score() : -position.score();
    score += position.game().data().weights.tempo;
    if (position.game().blocks() > 1) score += block_terms(position);
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
