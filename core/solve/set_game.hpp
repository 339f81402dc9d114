// The game in one set of cells: the maker wins if it gets all cells of a line, the breaker if it gets one of each.
#pragma once

#include <array>
#include <span>

#include "rules/cell_set.hpp"

namespace noughts {

class SetGame {
  public:
    static constexpr int MOST_LINES = 64;
    static constexpr int MOST_NODES = 1000;

    // Whether the breaker wins if the maker moves first. `lines` are the parts of the lines within the set, as cells of
    // one word, at most 15 in each. False, too, if that takes too long to find out.
    bool breaker_wins(std::span<const Word> lines);

  private:
    struct Lines {
        int count = 0;
        std::array<Word, MOST_LINES> at;

        void add(Word line) { at[count++] = line; }
        std::span<const Word> list() const { return {at.data(), static_cast<std::size_t>(count)}; }
    };
    using Weights = std::array<int, WORD_BITS + 1>;

    static Weights weigh(const Lines& lines);
    static int take_heaviest(Word& cells, const Weights& weights);
    bool holds_against_maker(const Lines& lines);
    bool holds_after(const Lines& before, int played);

    int nodes_ = 0;
};

}  // namespace noughts
