// The transposition table: what earlier searches found out about positions. Shared by threads without locks.
#pragma once

#include <atomic>
#include <cstdint>

#include "support/huge_pages.hpp"

namespace noughts {

enum class Bound : std::uint8_t { NONE, UPPER, LOWER, EXACT };

struct Entry {
    int move;   // or -1
    int score;  // wins are counted from the position itself, not from the root
    int depth;
    Bound bound;
};

// A depth that stands for "to the end of the game": nothing was estimated.
inline constexpr int TO_THE_END = 255;

class Table {
  public:
    explicit Table(std::size_t megabytes);

    bool probe(std::uint64_t key, Entry& entry) const;
    void store(std::uint64_t key, const Entry& entry);
    void prefetch(std::uint64_t key) const { __builtin_prefetch(&bucket(key)); }
    void next_age() { age_ = (age_ + 1) & 31; }
    void clear();
    int hashfull() const;  // entries of the present age, sampled
    std::size_t megabytes() const { return megabytes_; }

  private:
    static constexpr int WAYS = 4;
    // `check` is the key exclusive-or the data: a half-written slot matches no key.
    struct Slot {
        std::uint64_t check, data;  // read and written as atomics, see below
    };
    struct alignas(64) Bucket {
        Slot slots[WAYS];
    };

    // The upper half of the key, scaled to the number of buckets: no division, and any size will do.
    Bucket& bucket(std::uint64_t key) const {
        return buckets()[static_cast<std::size_t>(((key >> 32) * count_) >> 32)];
    }
    Bucket* buckets() const { return static_cast<Bucket*>(memory_.data()); }
    static std::uint64_t load(std::uint64_t& word) { return std::atomic_ref(word).load(std::memory_order_relaxed); }
    static void store(std::uint64_t& word, std::uint64_t value) {
        std::atomic_ref(word).store(value, std::memory_order_relaxed);
    }

    std::size_t megabytes_;
    std::size_t count_;
    HugePages memory_;
    std::uint32_t age_ = 0;
};

}  // namespace noughts
