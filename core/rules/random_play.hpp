// Random moves. The same generator state gives the same moves on every machine.
#pragma once

#include <bit>
#include <cstdint>

#include "rules/position.hpp"

namespace noughts {

// Odd, so that all states are visited before one repeats.
inline constexpr std::uint64_t RANDOM_STEP = 0x9e3779b97f4a7c15ull;

// The member of a word with this rank, counted from 0; the word must have more members than that.
inline int member_at(Word word, int rank) {
    int base = 0;
    for (int width = WORD_BITS / 2; width > 0; width /= 2) {
        const Word low = word & ((Word{1} << width) - 1);
        const int members = std::popcount(low);
        if (rank < members) {
            word = low;
        } else {
            rank -= members;
            word >>= width;
            base += width;
        }
    }
    return base;
}

// A uniformly random legal move. The position must not be over.
inline Cell random_move(const Position& position, std::uint64_t& state) {
    const auto legal = position.legal_cells();
    const std::uint64_t number = mix(state) >> 32;
    state += RANDOM_STEP;
    int rank = static_cast<int>(number * static_cast<std::uint64_t>(legal.count()) >> 32);
    for (int w = 0;; ++w) {
        const Word word = legal.word(w);
        const int members = std::popcount(word);
        if (rank < members) return w * WORD_BITS + member_at(word, rank);
        rank -= members;
    }
}

}  // namespace noughts
