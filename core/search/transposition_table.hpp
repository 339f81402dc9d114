// The transposition table: results of earlier searches, by position. Threads share it without locks.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "rules/cell_set.hpp"
#include "support/huge_pages.hpp"
#include "support/machine.hpp"

namespace noughts {

enum class Bound : std::uint8_t { NONE, UPPER, LOWER, EXACT };

struct TableEntry {
    Cell move;  // or NO_CELL
    int score;  // plies to a win are counted from this position, not from the root
    int depth;
    Bound bound;
};

// The depth of searches to the end of the game, in which nothing was estimated.
inline constexpr int TO_THE_END = 255;

class TranspositionTable {
  public:
    explicit TranspositionTable(std::size_t megabytes);

    std::optional<TableEntry> probe(std::uint64_t key) const;
    void store(std::uint64_t key, const TableEntry& entry);
    void prefetch(std::uint64_t key) const { noughts::prefetch(&bucket(key)); }
    void next_age() { age_ = (age_ + 1) & 31; }
    void clear();
    int hashfull() const;  // per mille of entries of the current age, from a sample

  private:
    static constexpr int WAYS = 4;
    // `check` is the key xor the data, so that a half-written slot matches no key.
    struct Slot {
        std::uint64_t check, data;  // read and written as atomics, see below
    };
    struct alignas(64) Bucket {
        Slot slots[WAYS];
    };

    // The upper half of the key, scaled to the number of buckets: this works for any size without a division.
    Bucket& bucket(std::uint64_t key) const {
        return buckets()[static_cast<std::size_t>(((key >> 32) * count_) >> 32)];
    }
    Bucket* buckets() const { return static_cast<Bucket*>(memory_.data()); }
    static std::uint64_t load(std::uint64_t& word) { return std::atomic_ref(word).load(std::memory_order_relaxed); }
    static void store(std::uint64_t& word, std::uint64_t value) {
        std::atomic_ref(word).store(value, std::memory_order_relaxed);
    }

    std::size_t count_;
    HugePages memory_;
    std::uint32_t age_ = 0;
};

}  // namespace noughts
