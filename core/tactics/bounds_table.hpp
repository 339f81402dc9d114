// Proven bounds of the values of positions, in a table of bounded size that never mistakes one position for another.
#pragma once

#include <atomic>
#include <cstdint>

#include "rules/game.hpp"
#include "support/growing_buckets.hpp"
#include "support/snapshot.hpp"

namespace noughts {

// Bounds of the value for the side to move: -1 lost, 0 drawn, 1 won.
struct Bounds {
    int lower = -1;
    int upper = 1;

    bool is_exact() const { return lower == upper; }
    // Whether at least `goal` is reached: 1 yes, -1 no, 0 unknown.
    int reaches(int goal) const { return lower >= goal ? 1 : upper < goal ? -1 : 0; }
};

// Bounds in one byte: the lower half holds the bounds (0 for an empty slot), the upper half the work that found them.
std::uint8_t pack_bounds(const Bounds& bounds, std::uint64_t work);

inline Bounds unpack_bounds(std::uint8_t info) {
    const int code = (info & 15) - 1;
    return info == 0 ? Bounds{} : Bounds{code % 3 - 1, code / 3 - 1};
}

// A word that threads read and write without waiting for each other.
class SharedWord {
  public:
    SharedWord(std::uint64_t value = 0) : value_(value) {}
    SharedWord(const SharedWord& other) : value_(other) {}
    SharedWord& operator=(const SharedWord& other) { return *this = static_cast<std::uint64_t>(other); }
    SharedWord& operator=(std::uint64_t value) {
        value_.store(value, std::memory_order_relaxed);
        return *this;
    }
    operator std::uint64_t() const { return value_.load(std::memory_order_relaxed); }

  private:
    std::atomic<std::uint64_t> value_;
};

// A lock held for a few instructions. A copy is a separate lock.
class SpinLock {
  public:
    SpinLock() = default;
    SpinLock(const SpinLock&) {}
    SpinLock& operator=(const SpinLock&) { return *this; }
    void lock() {
        while (is_locked_.exchange(1, std::memory_order_acquire) != 0) {
        }
    }
    void unlock() { is_locked_.store(0, std::memory_order_release); }

  private:
    std::atomic<std::uint8_t> is_locked_{0};
};

// For positions that are encoded in one word. An invertible function mixes the word; the upper bits of the result
// choose the bucket, and the slot stores the lower 56. Together they are the whole key, so there are no false hits.
class NarrowLayout {
  public:
    using Key = std::uint64_t;
    using Entry = std::uint64_t;  // the mixed key
    static constexpr int WAYS = 8;
    // Fewer buckets could not encode the 8 bits that slots leave out.
    static constexpr std::size_t LEAST_BUCKETS = 256;
    struct alignas(64) Bucket {
        SharedWord slots[WAYS];  // 56 bits of the mixed key, then a byte of pack_bounds
    };
    struct Lock {  // no lock is needed: a slot is one word
        Lock(Bucket&, bool) {}
        ~Lock() {}
    };

    static Entry entry_of(Key key) { return mix(key); }
    static std::uint64_t hash_of(Entry mixed) { return mixed; }
    std::uint8_t find(const Bucket& bucket, Entry mixed) const;
    bool put(Bucket& bucket, Entry mixed, std::uint8_t info) const;  // returns whether it took an empty slot
    // Calls visit(entry, info) for all entries of a bucket whose hashes were scaled to `scale` buckets.
    template <typename Visit>
    void for_each(const Bucket& bucket, std::size_t number, std::size_t scale, Visit&& visit) const {
        for (const std::uint64_t slot : bucket.slots)
            if (slot != 0) visit(mixed_key(slot, number, scale), static_cast<std::uint8_t>(slot));
    }

    static void write(SnapshotWriter& out, Entry mixed) { out.write(mixed); }
    static Entry read(SnapshotReader& in) { return in.read<std::uint64_t>(); }

  private:
    static std::uint64_t mixed_key(std::uint64_t slot, std::size_t bucket, std::size_t scale);
};

// For positions that are encoded in two words; slots store both.
class WideLayout {
  public:
    struct Key {
        std::uint64_t low = 0, high = 0;
        bool operator==(const Key&) const = default;
    };
    using Entry = Key;
    static constexpr int WAYS = 3;
    static constexpr std::size_t LEAST_BUCKETS = 1;
    struct alignas(64) Bucket {
        Key keys[WAYS];
        std::uint32_t epochs[WAYS];
        std::uint8_t infos[WAYS];
        SpinLock lock;
    };
    class Lock {
      public:
        Lock(Bucket& bucket, bool is_shared) : lock_(is_shared ? &bucket.lock : nullptr) {
            if (lock_) lock_->lock();
        }
        ~Lock() {
            if (lock_) lock_->unlock();
        }
        Lock(const Lock&) = delete;
        Lock& operator=(const Lock&) = delete;

      private:
        SpinLock* lock_;
    };

    static Entry entry_of(const Key& key) { return key; }
    static std::uint64_t hash_of(const Entry& key) { return mix(key.low ^ mix(key.high)); }
    std::uint8_t find(const Bucket& bucket, const Entry& key) const;
    bool put(Bucket& bucket, const Entry& key, std::uint8_t info) const;
    template <typename Visit>
    void for_each(const Bucket& bucket, std::size_t, std::size_t, Visit&& visit) const {
        for (int way = 0; way < WAYS; ++way)
            if (is_used(bucket, way)) visit(bucket.keys[way], bucket.infos[way]);
    }
    void start_epoch() { ++epoch_; }  // makes all entries invalid

    static void write(SnapshotWriter& out, const Entry& key);
    static Entry read(SnapshotReader& in);

  private:
    bool is_used(const Bucket& bucket, int way) const { return bucket.infos[way] != 0 && bucket.epochs[way] == epoch_; }

    std::uint32_t epoch_ = 1;
};

template <typename Layout>
class BoundsTable {
  public:
    using Key = typename Layout::Key;

    explicit BoundsTable(std::size_t bytes) : buckets_(bytes, sizeof(Bucket), Layout::WAYS, Layout::LEAST_BUCKETS) {}

    Bounds probe(const Key& key) const {
        const Entry entry = Layout::entry_of(key);
        Bucket& place = bucket(entry);
        const typename Layout::Lock lock(place, is_shared_);
        return unpack_bounds(layout_.find(place, entry));
    }
    // `work` is the cost of finding the bounds again. In a full bucket, the cheapest entry is replaced.
    void store(const Key& key, const Bounds& bounds, std::uint64_t work) {
        insert(Layout::entry_of(key), pack_bounds(bounds, work));
    }
    void prefetch(const Key& key) const { noughts::prefetch(&bucket(Layout::entry_of(key))); }
    // From now on, several threads may probe, store and save at the same time. Meanwhile the table cannot grow, so this
    // makes room for `more` entries. No thread may use the table during the call. May be called again.
    void open_to_threads(std::uint64_t more) {
        if (is_shared_) buckets_.set_entries(estimate_entries());
        buckets_.make_room_for(more, [this](std::size_t from) { move_bucket(from); });
        is_shared_ = true;
    }
    void clear() {
        buckets_.clear();
        is_shared_ = false;
    }
    // Removes all entries in constant time, without freeing memory: for keys that change their meaning.
    void forget()
        requires requires(Layout& layout) { layout.start_epoch(); }
    {
        layout_.start_epoch();
        buckets_.set_entries(0);
    }
    std::size_t bytes() const { return buckets_.bytes(); }  // maximum size
    TableUse use() const;

    void save(SnapshotWriter& out) const;
    void load(SnapshotReader& in);  // keeps existing entries; throws InvalidSnapshot for invalid bounds

  private:
    using Entry = typename Layout::Entry;
    using Bucket = typename Layout::Bucket;

    Bucket* buckets() const { return static_cast<Bucket*>(buckets_.data()); }
    Bucket& bucket(const Entry& entry) const { return buckets()[buckets_.bucket_of(Layout::hash_of(entry))]; }
    void insert(const Entry& entry, std::uint8_t info) {
        Bucket& place = bucket(entry);
        const typename Layout::Lock lock(place, is_shared_);
        const bool is_new = layout_.put(place, entry, info);
        if (is_new && !is_shared_) buckets_.add_entry([this](std::size_t from) { move_bucket(from); });
    }
    void move_bucket(std::size_t from);
    std::uint64_t count_entries(std::size_t step) const;  // counts the entries in one of `step` buckets
    std::uint64_t estimate_entries() const;               // from a sample
    // A copy of a bucket that no other thread changes.
    Bucket copy_of(std::size_t number) const {
        const typename Layout::Lock lock(buckets()[number], is_shared_);
        return buckets()[number];
    }

    GrowingBuckets buckets_;
    bool is_shared_ = false;
    [[no_unique_address]] Layout layout_;
};

using NarrowTable = BoundsTable<NarrowLayout>;
using WideTable = BoundsTable<WideLayout>;
extern template class BoundsTable<NarrowLayout>;
extern template class BoundsTable<WideLayout>;

}  // namespace noughts
