// How a table grows in place, a few buckets at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "support/huge_pages.hpp"

namespace noughts {

__extension__ using DoubleWord = unsigned __int128;  // to scale 64 bits to the number of buckets

// Tables start small, since memory costs time when it is first touched, and grow as they fill up to the size allowed.
//
// A hash is scaled to the number of buckets, so a larger number keeps their order: the entries of bucket i move to
// bucket i or one above it. Moving from the top down, a table grows in its own memory, and entries that have not moved
// yet are still found:
//
//     |  not moved yet  |  empty  |          moved          |
//     0              waiting    before                    count
//
// Every new entry moves a few buckets, so that growing never makes a search wait.
class IncrementalGrowth {
  public:
    IncrementalGrowth(std::size_t most, std::size_t least)
        : most_(std::max(most, least)), start_(std::min(most_, std::max(least, FIRST_BUCKETS))), count_(start_) {}

    std::size_t count() const { return count_; }  // buckets now
    std::size_t most() const { return most_; }    // buckets allowed
    std::size_t entries() const { return entries_; }

    std::size_t bucket_of(std::uint64_t hash) const {
        if (waiting_ > 0) [[unlikely]]
            if (const std::size_t bucket = scaled(hash, before_); bucket < waiting_) return bucket;
        return scaled(hash, count_);
    }
    // The number of buckets that the hashes in a bucket were scaled to.
    std::size_t scale_of(std::size_t bucket) const { return bucket < waiting_ ? before_ : count_; }
    std::size_t scale_before() const { return before_; }

    // Counts a new entry. Returns whether the table must now call `advance`.
    bool add_entry(int ways) {
        ++entries_;
        return waiting_ > 0 || is_due(ways);
    }
    void drop_entry() { --entries_; }
    void drop_entries() { entries_ = 0; }

    // Grows if that is due, and moves a few buckets. `move_bucket(number)` takes the entries of a bucket out and puts
    // them in again.
    template <typename MoveBucket>
    void advance(int ways, HugePages& memory, std::size_t bucket_bytes, MoveBucket&& move_bucket) {
        if (is_due(ways)) {
            grow();
            memory.prepare(count_ * bucket_bytes);
        }
        for (int i = 0; i < MOVES_PER_ENTRY && waiting_ > 0; ++i) move_bucket(--waiting_);
    }
    // Grows at once until `more` entries would not crowd the table, or it has its full size. Saved entries come in the
    // order of their buckets, and would crowd the first ones of a small table.
    template <typename MoveBucket>
    void make_room_for(std::uint64_t more, int ways, HugePages& memory, std::size_t bucket_bytes,
                       MoveBucket&& move_bucket) {
        const std::uint64_t wanted = entries_ + std::min<std::uint64_t>(more, most_ * static_cast<std::size_t>(ways));
        for (;; grow()) {
            while (waiting_ > 0) move_bucket(--waiting_);
            if (!is_crowded(wanted, ways)) break;
        }
        memory.prepare(count_ * bucket_bytes);
    }
    void restart() {
        count_ = start_;
        before_ = waiting_ = entries_ = 0;
    }

  private:
    static constexpr std::size_t FIRST_BUCKETS = 4096, GROW_BY = 4;
    static constexpr int MOVES_PER_ENTRY = 16;

    static std::size_t scaled(std::uint64_t hash, std::size_t count) {
        return static_cast<std::size_t>((static_cast<DoubleWord>(hash) * count) >> 64);
    }
    bool is_due(int ways) const { return waiting_ == 0 && is_crowded(entries_, ways); }
    // Whether `entries` would fill more than half of all slots while the table may still grow.
    bool is_crowded(std::uint64_t entries, int ways) const {
        return count_ < most_ && entries > count_ * static_cast<std::size_t>(ways) / 2;
    }
    void grow() {
        before_ = waiting_ = count_;
        count_ = std::min(most_, count_ * GROW_BY);
    }

    std::size_t most_, start_, count_, before_ = 0, waiting_ = 0, entries_ = 0;
};

}  // namespace noughts
