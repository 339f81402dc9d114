// How a table grows in place, a few buckets at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace noughts {

__extension__ using DoubleWord = unsigned __int128;  // to scale 64 bits to the number of buckets

// Tables start small, since memory costs time when it is first touched, and grow as they fill up to the size allowed.
//
// A hash is scaled to the number of buckets, so a larger number keeps their order: what is in bucket i moves to bucket i or
// one above it. Moving from the top down, a table grows in its own memory, and what is not yet moved is still found:
//
//     |  not moved yet  |  empty  |          moved          |
//     0              waiting    before                    count
//
// Every new entry moves a few buckets, so that growing never makes a search wait.
class Growth {
   public:
    static constexpr int MOVES_AN_ENTRY = 16;

    Growth(std::size_t most, std::size_t least)
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

    // Told of every new entry: whether there is something to do, which is to grow if is_due and then to move buckets.
    bool add_entry(int ways) {
        ++entries_;
        return waiting_ > 0 || is_due(ways);
    }
    void drop_entry() { --entries_; }
    void drop_entries() { entries_ = 0; }
    bool is_due(int ways) const { return waiting_ == 0 && is_crowded(entries_, ways); }
    // Whether `entries` would be more than half of all slots, and there may be more of those.
    bool is_crowded(std::uint64_t entries, int ways) const { return count_ < most_ && entries > count_ * static_cast<std::size_t>(ways) / 2; }
    void grow() {
        before_ = waiting_ = count_;
        count_ = std::min(most_, count_ * GROW_BY);
    }
    // Grows if that many entries more would be too many; returns whether it did, and buckets are to be moved.
    bool grow_for(std::uint64_t more, int ways) {
        if (more > most_ * static_cast<std::size_t>(ways)) more = most_ * static_cast<std::size_t>(ways);
        if (!is_crowded(entries_ + more, ways)) return false;
        grow();
        return true;
    }
    bool is_moving() const { return waiting_ > 0; }
    // The bucket whose entries are to be taken out and put in again.
    std::size_t next_to_move() { return --waiting_; }
    void restart() {
        count_ = start_;
        before_ = waiting_ = entries_ = 0;
    }

   private:
    static constexpr std::size_t FIRST_BUCKETS = 4096, GROW_BY = 4;
    static std::size_t scaled(std::uint64_t hash, std::size_t count) { return static_cast<std::size_t>((static_cast<DoubleWord>(hash) * count) >> 64); }

    std::size_t most_, start_, count_, before_ = 0, waiting_ = 0, entries_ = 0;
};

}  // namespace noughts
