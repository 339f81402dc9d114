#include "solve/static_draw/set_game.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace noughts {
namespace {

constexpr int MOST_LINE_CELLS = 15;
constexpr int WHOLE_WEIGHT = 1 << (MOST_LINE_CELLS + 1);  // weight of a line that lacks no cell

}  // namespace

bool SetGame::breaker_wins(std::span<const Word> lines) {
    nodes_ = 0;
    ++game_;
    number_cells(lines);
    return holds_against_maker(0, 0);
}

// Numbers the cells of the set from 0, so that weights are computed for few cells.
void SetGame::number_cells(std::span<const Word> lines) {
    Word set = 0;
    for (const Word line : lines) {
        assert(std::popcount(line) <= MOST_LINE_CELLS);
        set |= line;
    }
    assert(lines.size() <= MOST_LINES);
    cells_ = std::popcount(set);
    Lines numbered;
    for (const Word line : lines) {
        Word cells = 0;
        for_each_bit(line, 0, [&](int cell) { cells |= bit(std::popcount(set & (bit(cell) - 1))); });
        numbered.add(cells);
    }
    lines_ = without_supersets(numbered);
}

SetGame::Lines SetGame::without_supersets(const Lines& lines) {
    Lines kept;
    for (int i = 0; i < lines.count; ++i) {
        bool is_kept = true;
        for (int j = 0; j < lines.count && is_kept; ++j)
            is_kept = j == i || (lines.at[j] & ~lines.at[i]) != 0 || (lines.at[j] == lines.at[i] && j > i);
        if (is_kept) kept.add(lines.at[i]);
    }
    return kept;
}

// Adds the Erdős-Selfridge weight of a line to the weights of its cells, and returns it.
int SetGame::add_weight(Weights& weights, Word line) const {
    const int weight = WHOLE_WEIGHT >> std::popcount(line);
    for (int cell = 0; cell < cells_; ++cell) weights[cell] += static_cast<int>(line >> cell & 1) * weight;
    return weight;
}

int SetGame::take_heaviest(Word& cells, const Weights& weights) {
    int best = lowest(cells);
    for_each_bit(cells, 0, [&](int cell) {
        if (weights[cell] > weights[best]) best = cell;
    });
    cells &= ~bit(best);
    return best;
}

bool SetGame::holds_against_maker(Word maker, Word breaker) {
    Result& known =
        results_[(maker * 0x9e3779b97f4a7c15u + breaker) * 0xbf58476d1ce4e5b9u >> (WORD_BITS - RESULT_BITS)];
    if (known.maker == maker && known.breaker == breaker && known.game == game_) return known.holds;
    if (++nodes_; is_spent()) return false;
    const bool holds = try_all_moves(maker, breaker);
    if (!is_spent()) known = {game_, maker, breaker, holds};
    return holds;
}

bool SetGame::try_all_moves(Word maker, Word breaker) {
    Lines lines;
    Weights weights;
    std::fill_n(weights.begin(), cells_, 0);
    int sum = 0;
    Word cells = 0;
    for (const Word line : lines_.list()) {
        if (line & breaker) continue;
        const Word lacking = line & ~maker;
        if (!has_several(lacking)) return false;
        lines.add(lacking);
        cells |= lacking;
        sum += add_weight(weights, lacking);
    }
    while (cells) {
        const int cell = take_heaviest(cells, weights);
        if (sum + weights[cell] < WHOLE_WEIGHT) return true;  // no remaining cell is heavier
        if (!holds_after(cell, maker, breaker, lines, weights)) return false;
    }
    return true;
}

bool SetGame::holds_after(int played, Word maker, Word breaker, const Lines& lines, const Weights& before) {
    Weights weights;
    std::copy_n(before.begin(), cells_, weights.begin());
    Word forced = 0, replies = 0;
    for (const Word line : lines.list()) {
        replies |= line & ~bit(played);
        if (!contains(line, played)) continue;
        const Word lacking = line & ~bit(played);
        if (!has_several(lacking)) forced |= lacking;
        add_weight(weights, line);  // once more, since the weight of the line doubles
    }
    if (has_several(forced)) return false;
    if (forced) replies = forced;
    while (replies && !is_spent()) {
        const int reply = take_heaviest(replies, weights);
        if (holds_against_maker(maker | bit(played), breaker | bit(reply))) return true;
    }
    return false;
}

}  // namespace noughts
