// What the proof search knows of positions: bounded memory, and no position is ever taken for another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rules/position.hpp"
#include "support/huge_pages.hpp"
#include "support/incremental_growth.hpp"
#include "support/snapshot.hpp"

namespace noughts {

// A proof number is how many leaves must still be won, at the least, to win; a disproof number, to show that no win is
// there. Zero means done.
struct ProofNumbers {
    std::uint32_t proof = 1;
    std::uint32_t disproof = 1;

    bool is_solved() const { return proof == 0 || disproof == 0; }
    bool is_proved() const { return proof == 0; }
};
inline constexpr std::uint32_t INFINITE = 1u << 30;  // the other number of a position that is solved
inline constexpr ProofNumbers PROVED{0, INFINITE};
inline constexpr ProofNumbers DISPROVED{INFINITE, 0};

struct ProofEntry {
    ProofNumbers numbers;
    std::uint32_t work = 0;        // nodes searched below it: what it would cost to find out again
    std::uint16_t move = NO_MOVE;  // the move that decided it for the side to move
    std::uint8_t notes = 0;        // the search's own remarks

    static constexpr std::uint16_t NO_MOVE = 0xffff;
};

// Keys are positions themselves (both sides' marks and whatever else tells positions apart), not hashes of them: a
// false hit cannot happen, and so what is read here may be part of a proof.
class ProofTable {
  public:
    static constexpr std::uint8_t TAGS = 4;

    ProofTable(int key_words, std::size_t megabytes);

    // `tag`, below TAGS, is part of the key.
    bool probe(std::span<const Word> key, std::uint8_t tag, ProofEntry& found) const;
    // When four positions share a place, the one that cost least makes way.
    void store(std::span<const Word> key, std::uint8_t tag, const ProofEntry& proven);

    std::size_t entries() const { return growth_.entries(); }
    std::size_t bytes() const { return growth_.most() * bucket_words() * sizeof(Word); }  // at most
    int hashfull() const;

    // `load` adds to what is there; it throws InvalidSnapshot at what no search stores, and then leaves an empty table.
    // `game` tells games apart, and the moves of a game are below `cells`.
    void save(SnapshotWriter& out, std::uint64_t game) const;
    void load(SnapshotReader& in, std::uint64_t game, int cells);

  private:
    static constexpr int WAYS = 4;
    static constexpr std::uint64_t IN_USE = 0x80;

    std::size_t bucket_words() const { return WAYS * slot_words_; }
    Word* slots() const { return static_cast<Word*>(memory_.data()); }
    std::size_t place_of(std::span<const Word> key, std::uint8_t tag) const;
    bool holds(std::size_t at, std::span<const Word> key, std::uint8_t tag) const;
    bool is_used(std::size_t at) const { return slots()[at + slot_words_ - 1] & IN_USE; }
    void write(std::size_t at, std::span<const Word> key, std::uint8_t tag, const ProofEntry& proven);
    bool put(std::span<const Word> key, std::uint8_t tag, const ProofEntry& proven);  // whether it took an empty slot
    std::uint64_t worth(std::size_t at) const;
    void grow();
    void move_bucket(std::size_t from);
    void load_entry(SnapshotReader& in, int cells);

    int key_words_;
    std::size_t slot_words_;
    IncrementalGrowth growth_;
    HugePages memory_;          // per slot: the key, then the numbers, then work, move, notes and tag
    std::vector<Word> moving_;  // a bucket on its way, see move_bucket
};

}  // namespace noughts
