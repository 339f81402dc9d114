// The game in one set of cells: the maker wins if it gets all cells of a line, the breaker if it gets one of each.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "rules/cell_set.hpp"

namespace noughts {

class SetGame {
  public:
    static constexpr int MOST_CELLS = 16;
    static constexpr int MOST_LINES = 64;
    static constexpr int MOST_NODES = 1000;

    // Whether the breaker wins if the maker moves first. `lines` are the parts of the lines within the set, as cells of
    // one word, at most MOST_CELLS in all. False, too, if that takes too long to find out.
    bool breaker_wins(std::span<const Word> lines);

  private:
    using Cells = std::uint16_t;  // those of the set, numbered from 0
    using Weights = std::array<std::int32_t, MOST_CELLS>;

    struct Lines {
        int count = 0;
        std::array<Cells, MOST_LINES> at;

        void add(Cells line) { at[count++] = line; }
        std::span<const Cells> list() const { return {at.data(), static_cast<std::size_t>(count)}; }
    };
    struct Result {
        std::uint64_t game = 0;  // its number
        Cells maker = 0, breaker = 0;
        bool holds = false;
    };
    static constexpr std::size_t RESULTS = 1024;

    static Lines in_set(std::span<const Word> lines);
    static Lines without_supersets(const Lines& lines);
    static int add_weight(Weights& weights, Cells line);
    static int take_heaviest(Cells& cells, const Weights& weights);
    bool holds_against_maker(Cells maker, Cells breaker);
    bool try_all_moves(Cells maker, Cells breaker);
    bool holds_after(int played, Cells maker, Cells breaker, const Lines& lines, Weights weights);
    bool is_spent() const { return nodes_ > MOST_NODES; }

    Lines lines_;
    int nodes_ = 0;
    std::uint64_t game_ = 0;
    std::array<Result, RESULTS> results_;
};

}  // namespace noughts
