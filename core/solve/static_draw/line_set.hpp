// Lines that the maker can still complete, and sets of up to 128 such lines.
#pragma once

#include <bit>
#include <cstdint>

#include "rules/cell_set.hpp"

namespace noughts {

// A line of a game with at most one word of cells, as the cells that the maker lacks.
struct OpenLine {
    Word cells;
    std::uint16_t number;
};

struct LineSet {
    static constexpr int SIZE = 2 * WORD_BITS;

    Word low = 0, high = 0;

    static LineSet of(int line) { return line < WORD_BITS ? LineSet{bit(line), 0} : LineSet{0, bit(line)}; }
    static LineSet first(int count) {
        if (count == SIZE) return {~Word{0}, ~Word{0}};
        return count < WORD_BITS ? LineSet{bit(count) - 1, 0} : LineSet{~Word{0}, bit(count) - 1};
    }

    bool is_empty() const { return (low | high) == 0; }
    int count() const { return std::popcount(low) + std::popcount(high); }
    bool has(int line) const { return contains(line < WORD_BITS ? low : high, line); }
    int lowest() const { return low ? noughts::lowest(low) : WORD_BITS + noughts::lowest(high); }
    void remove_lowest() { (low ? low : high) &= (low ? low : high) - 1; }
    template <typename Visit>
    void for_each(Visit&& visit) const {
        for_each_bit(low, 0, visit);
        for_each_bit(high, WORD_BITS, visit);
    }

    LineSet operator&(LineSet other) const { return {low & other.low, high & other.high}; }
    LineSet operator|(LineSet other) const { return {low | other.low, high | other.high}; }
    LineSet operator~() const { return {~low, ~high}; }
    LineSet& operator&=(LineSet other) { return *this = *this & other; }
    LineSet& operator|=(LineSet other) { return *this = *this | other; }
    bool operator==(const LineSet&) const = default;
};

}  // namespace noughts
