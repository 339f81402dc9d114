#include "solve/set_game.hpp"

#include <bit>
#include <cassert>

namespace noughts {
namespace {

constexpr int WHOLE_WEIGHT = 1 << SetGame::MOST_CELLS;  // of a line without cells left

constexpr unsigned cell_bit(int cell) { return 1u << cell; }
constexpr bool has_cell(unsigned cells, int cell) { return cells >> cell & 1; }

}  // namespace

bool SetGame::breaker_wins(std::span<const Word> lines) {
    nodes_ = 0;
    ++game_;
    lines_ = without_supersets(in_set(lines));
    return holds_against_maker(0, 0);
}

SetGame::Lines SetGame::in_set(std::span<const Word> lines) {
    Word set = 0;
    for (const Word line : lines) set |= line;
    assert(std::popcount(set) <= MOST_CELLS);
    Lines found;
    for (const Word line : lines) {
        unsigned cells = 0;
        for_each_bit(line, 0, [&](int cell) { cells |= cell_bit(std::popcount(set & (bit(cell) - 1))); });
        found.add(static_cast<Cells>(cells));
    }
    return found;
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

// Adds the Erdős-Selfridge weight of a line to those of its cells, and returns it.
int SetGame::add_weight(Weights& weights, Cells line) {
    const int weight = WHOLE_WEIGHT >> std::popcount(line);
    for (int cell = 0; cell < MOST_CELLS; ++cell) weights[cell] += (line >> cell & 1) * weight;
    return weight;
}

int SetGame::take_heaviest(Cells& cells, const Weights& weights) {
    int best = std::countr_zero(cells);
    for (unsigned left = cells; left; left &= left - 1)
        if (const int cell = std::countr_zero(left); weights[cell] > weights[best]) best = cell;
    cells = static_cast<Cells>(cells & ~cell_bit(best));
    return best;
}

bool SetGame::holds_against_maker(Cells maker, Cells breaker) {
    const std::uint32_t key = static_cast<std::uint32_t>(maker) << 16 | breaker;
    Result& known = results_[key * 0x9e3779b1u >> 22];
    if (known.maker == maker && known.breaker == breaker && known.game == game_) return known.holds;
    if (++nodes_; is_spent()) return false;
    const bool holds = try_all_moves(maker, breaker);
    if (!is_spent()) known = {game_, maker, breaker, holds};
    return holds;
}

bool SetGame::try_all_moves(Cells maker, Cells breaker) {
    Lines lines;
    Weights weights{};
    int sum = 0;
    Cells cells = 0;
    for (const Cells line : lines_.list()) {
        if (line & breaker) continue;
        const auto lacking = static_cast<Cells>(line & ~maker);
        if (!has_several(lacking)) return false;
        lines.add(lacking);
        cells |= lacking;
        sum += add_weight(weights, lacking);
    }
    while (cells) {
        const int cell = take_heaviest(cells, weights);
        if (sum + weights[cell] < WHOLE_WEIGHT) return true;  // nor is any other cell too heavy
        if (!holds_after(cell, maker, breaker, lines, weights)) return false;
    }
    return true;
}

bool SetGame::holds_after(int played, Cells maker, Cells breaker, const Lines& lines, Weights weights) {
    unsigned forced = 0, all = 0;
    for (const Cells line : lines.list()) {
        all |= line;
        if (!has_cell(line, played)) continue;
        const unsigned lacking = line & ~cell_bit(played);
        if (!has_several(lacking)) forced |= lacking;
        add_weight(weights, line);  // it doubles
    }
    if (has_several(forced)) return false;
    auto replies = static_cast<Cells>(forced ? forced : all & ~cell_bit(played));
    maker = static_cast<Cells>(maker | cell_bit(played));
    while (replies && !is_spent()) {
        const int reply = take_heaviest(replies, weights);
        if (holds_against_maker(maker, static_cast<Cells>(breaker | cell_bit(reply)))) return true;
    }
    return false;
}

}  // namespace noughts
