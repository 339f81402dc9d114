// The Maker-Breaker game within one set of cells: the maker wins if it gets all cells of a line, the breaker if it gets
// a cell of every line.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "rules/cell_set.hpp"

namespace noughts {

class SetGame {
  public:
    static constexpr int MOST_LINES = 64;
    static constexpr int MOST_NODES = 1000;

    // Whether the breaker wins if the maker moves first. `lines` are the parts of the lines within the set, as cells of
    // one word, each of at most 15 cells. Also false if the search takes too long.
    bool breaker_wins(std::span<const Word> lines);

  private:
    using Weights = std::array<int, WORD_BITS>;  // by cell of the set

    struct Lines {
        int count = 0;
        std::array<Word, MOST_LINES> at;

        void add(Word line) { at[count++] = line; }
        std::span<const Word> list() const { return {at.data(), static_cast<std::size_t>(count)}; }
    };
    struct Result {
        std::uint64_t game = 0;  // number of the current game
        Word maker = 0, breaker = 0;
        bool holds = false;
    };
    static constexpr int RESULT_BITS = 10;

    void number_cells(std::span<const Word> lines);
    static Lines without_supersets(const Lines& lines);
    int add_weight(Weights& weights, Word line) const;
    static int take_heaviest(Word& cells, const Weights& weights);
    bool holds_against_maker(Word maker, Word breaker);
    bool try_all_moves(Word maker, Word breaker);
    bool holds_after(int played, Word maker, Word breaker, const Lines& lines, const Weights& before);
    bool is_spent() const { return nodes_ > MOST_NODES; }

    Lines lines_;
    int cells_ = 0;  // size of the set
    int nodes_ = 0;
    std::uint64_t game_ = 0;
    std::array<Result, std::size_t{1} << RESULT_BITS> results_;
};

}  // namespace noughts
