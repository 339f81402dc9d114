// The memory of a hash table that grows in place, a few buckets at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "support/huge_pages.hpp"
#include "support/machine.hpp"

namespace noughts {

struct TableUse {
    std::size_t bytes = 0;  // of memory in use
    int hashfull = 0;       // entries, per mille of the maximum
};

// A table starts small, since memory costs time when it is first touched, and grows as it fills up to the size allowed.
//
// A hash is scaled to the number of buckets, so a larger number keeps their order: the entries of bucket i move to
// bucket i or one above it. Moving from the top down, a table grows in its own memory, and entries that have not moved
// yet are still found:
//
//     |  not moved yet  |  empty  |          moved          |
//     0              waiting    before                    count
//
// Every new entry moves a few buckets, so that the search never waits for the table to grow.
class GrowingBuckets {
  public:
    // Takes at most `bytes`, but at least `least_count` buckets of `bucket_bytes`, with room for `ways` entries each.
    GrowingBuckets(std::size_t bytes, std::size_t bucket_bytes, int ways, std::size_t least_count)
        : bucket_bytes_(bucket_bytes),
          ways_(static_cast<std::size_t>(ways)),
          most_(std::max(bytes / bucket_bytes, least_count)),
          start_(std::min(most_, std::max(least_count, FIRST_BUCKETS))),
          count_(start_),
          memory_(most_, bucket_bytes) {}

    void* data() const { return memory_.data(); }
    std::size_t count() const { return count_; }  // current number of buckets
    std::size_t bytes() const { return most_ * bucket_bytes_; }
    std::size_t entries() const { return entries_; }
    TableUse use() const { return use(entries_); }
    // The use of the table, for tables whose entries are counted elsewhere.
    TableUse use(std::size_t entries) const {
        return {count_ * bucket_bytes_, static_cast<int>(entries * 1000 / (most_ * ways_))};
    }

    std::size_t bucket_of(std::uint64_t hash) const {
        if (waiting_ > 0) [[unlikely]]
            if (const std::size_t bucket = scaled(hash, before_); bucket < waiting_) return bucket;
        return scaled(hash, count_);
    }
    // The number of buckets to which the hashes in a bucket were scaled: normally, and while the bucket is being moved.
    std::size_t scale_of(std::size_t bucket) const { return bucket < waiting_ ? before_ : count_; }
    std::size_t scale_before() const { return before_; }

    // Counts a new entry; grows the table if necessary, and moves a few buckets. `move_bucket(number)` must take all
    // entries out of a bucket and insert them again.
    template <typename MoveBucket>
    void add_entry(MoveBucket&& move_bucket) {
        ++entries_;
        if (waiting_ == 0) {
            if (!is_crowded(entries_)) return;
            grow();
        }
        for (int i = 0; i < MOVES_PER_ENTRY && waiting_ > 0; ++i) move_bucket(--waiting_);
    }
    void drop_entry() { --entries_; }
    void set_entries(std::size_t entries) { entries_ = entries; }

    // Grows until `more` entries fit below the load factor, or to capacity. Saved entries come in the order of their
    // buckets and would crowd the first buckets of a small table.
    template <typename MoveBucket>
    void make_room_for(std::uint64_t more, MoveBucket&& move_bucket) {
        const std::uint64_t wanted = entries_ + std::min<std::uint64_t>(more, most_ * ways_);
        for (;; grow()) {
            while (waiting_ > 0) move_bucket(--waiting_);
            if (!is_crowded(wanted)) return;
        }
    }

    // Removes all entries, shrinks to the initial size and frees the memory.
    void clear() {
        count_ = start_;
        before_ = waiting_ = entries_ = 0;
        memory_ = HugePages(most_, bucket_bytes_);
    }

  private:
    static constexpr std::size_t FIRST_BUCKETS = 4096, GROWTH_FACTOR = 4;
    static constexpr int MOVES_PER_ENTRY = 16;

    static std::size_t scaled(std::uint64_t hash, std::size_t count) {
        return static_cast<std::size_t>(multiply_high(hash, count));
    }
    // Whether `entries` would fill more than half of all slots although the table could still grow.
    bool is_crowded(std::uint64_t entries) const { return count_ < most_ && entries > count_ * ways_ / 2; }
    // The memory is prepared before a bucket moves there, because pages that have been touched remain small.
    void grow() {
        before_ = waiting_ = count_;
        count_ = std::min(most_, count_ * GROWTH_FACTOR);
        memory_.prepare(count_ * bucket_bytes_);
    }

    std::size_t bucket_bytes_, ways_, most_, start_, count_, before_ = 0, waiting_ = 0, entries_ = 0;
    HugePages memory_;
};

}  // namespace noughts
