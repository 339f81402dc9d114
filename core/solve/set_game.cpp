#include "solve/set_game.hpp"

#include <bit>

namespace noughts {
namespace {

constexpr int WHOLE_WEIGHT = 1 << 16;  // of a line without cells left
constexpr int ALL_LINES = WORD_BITS;   // in place of a cell

}  // namespace

bool SetGame::breaker_wins(std::span<const Word> lines) {
    nodes_ = 0;
    Lines all;
    for (const Word line : lines) all.add(line);
    return holds_against_maker(all);
}

// The Erdős-Selfridge weights of the cells, and of all lines.
SetGame::Weights SetGame::weigh(const Lines& lines) {
    Weights weights{};
    for (const Word line : lines.list()) {
        const int weight = WHOLE_WEIGHT >> std::popcount(line);
        weights[ALL_LINES] += weight;
        for_each_bit(line, 0, [&](int cell) { weights[cell] += weight; });
    }
    return weights;
}

int SetGame::take_heaviest(Word& cells, const Weights& weights) {
    int best = lowest(cells);
    for_each_bit(cells, 0, [&](int cell) {
        if (weights[cell] > weights[best]) best = cell;
    });
    cells &= ~bit(best);
    return best;
}

bool SetGame::holds_against_maker(const Lines& lines) {
    if (++nodes_ > MOST_NODES) return false;
    const Weights weights = weigh(lines);
    Word cells = 0;
    for (const Word line : lines.list()) cells |= line;
    while (cells) {
        const int cell = take_heaviest(cells, weights);
        if (weights[ALL_LINES] + weights[cell] < WHOLE_WEIGHT) return true;  // nor is any other cell too heavy
        if (!holds_after(lines, cell)) return false;
    }
    return true;
}

bool SetGame::holds_after(const Lines& before, int played) {
    Lines lines;
    Word forced = 0, cells = 0;
    for (const Word part : before.list()) {
        const Word line = part & ~bit(played);
        if (line == 0) return false;
        if (!has_several(line)) forced |= line;
        cells |= line;
        lines.add(line);
    }
    if (has_several(forced)) return false;
    if (forced) cells = forced;
    const Weights weights = weigh(lines);
    while (cells) {
        const int reply = take_heaviest(cells, weights);
        Lines rest;
        for (const Word line : lines.list())
            if (!contains(line, reply)) rest.add(line);
        if (holds_against_maker(rest)) return true;
    }
    return false;
}

}  // namespace noughts
