// What the proof search knows of positions: bounded memory, and no position is ever taken for another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "position.hpp"

namespace noughts {

// A proof number is how many leaves must still be won, at the least, to win; a disproof number, to show that no win is
// there. Zero means done.
struct Numbers {
    std::uint32_t proof = 1;
    std::uint32_t disproof = 1;

    bool is_solved() const { return proof == 0 || disproof == 0; }
    bool is_proved() const { return proof == 0; }
};
inline constexpr std::uint32_t ENDLESS = 1u << 30;  // the other number of a position that is solved
inline constexpr Numbers PROVED{0, ENDLESS};
inline constexpr Numbers DISPROVED{ENDLESS, 0};

struct Proven {
    Numbers numbers;
    std::uint32_t work = 0;           // nodes searched below it: what it would cost to find out again
    std::uint16_t move = NO_MOVE;     // the move that decided it for the side to move
    std::uint8_t notes = 0;           // the search's own remarks

    static constexpr std::uint16_t NO_MOVE = 0xffff;
};

// Keys are positions themselves (both sides' marks and whatever else tells positions apart), not hashes of them: a false
// hit cannot happen, and so what is read here may be part of a proof.
class ProofTable {
   public:
    ProofTable(int key_words, std::size_t megabytes);

    // `tag`, below 128, is part of the key.
    bool probe(std::span<const Word> key, std::uint8_t tag, Proven& found) const;
    // When four positions share a place, the one that cost least makes way.
    void store(std::span<const Word> key, std::uint8_t tag, const Proven& proven);

    std::size_t entries() const { return entries_; }
    std::size_t bytes() const { return words_.size() * sizeof(Word); }
    int per_mille_full() const;

    // Writes the table to a file and reads it again. `game` tells games apart. Both throw std::runtime_error.
    void save(const std::string& path, std::uint64_t game) const;
    void load(const std::string& path, std::uint64_t game);

   private:
    static constexpr int WAYS = 4;
    static constexpr std::uint64_t IN_USE = 0x80;

    std::size_t place_of(std::span<const Word> key, std::uint8_t tag) const;
    bool holds(std::size_t at, std::span<const Word> key, std::uint8_t tag) const;
    void write(std::size_t at, std::span<const Word> key, std::uint8_t tag, const Proven& proven);
    std::uint64_t worth(std::size_t at) const;
    void grow();
    void reinsert(std::span<const Word> slots);

    int key_words_;
    std::size_t slot_words_;
    std::size_t most_buckets_;
    std::size_t buckets_;
    std::size_t entries_ = 0;
    std::vector<Word> words_;  // per slot: the key, then the numbers, then work, move, notes and tag
};

}  // namespace noughts
