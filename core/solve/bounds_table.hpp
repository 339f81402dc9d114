// What is known for certain of positions' values: a bounded table that never takes one position for another.
#pragma once

#include <cstdint>

#include "rules/game.hpp"
#include "support/huge_pages.hpp"
#include "support/incremental_growth.hpp"
#include "support/snapshot.hpp"

namespace noughts {

// Of the value for the side to move: -1 lost, 0 drawn, 1 won.
struct Bounds {
    int lower = -1;
    int upper = 1;

    bool is_exact() const { return lower == upper; }
    // Whether at least `goal` is reached: 1 yes, -1 no, 0 not known.
    int reaches(int goal) const { return lower >= goal ? 1 : upper < goal ? -1 : 0; }
};

// One byte: the bounds in the lower half (0 stands for an empty slot), in the upper half how much work found them.
std::uint8_t pack_bounds(const Bounds& bounds, std::uint64_t work);

inline Bounds unpack_bounds(std::uint8_t info) {
    const int code = (info & 15) - 1;
    return info == 0 ? Bounds{} : Bounds{code % 3 - 1, code / 3 - 1};
}

// For positions whose exact encoding takes one word. The word is mixed by a function that can be turned round, its
// upper bits choose the bucket and the lower 56 are kept in the slot: together they are the whole key, so a hit is
// never false.
class NarrowTable {
  public:
    using Key = std::uint64_t;
    static constexpr std::size_t LEAST_BUCKETS = 256;  // fewer would not stand for the 8 bits that slots leave out

    explicit NarrowTable(std::size_t bytes);

    Bounds probe(Key key) const;
    void store(Key key, const Bounds& bounds, std::uint64_t work);
    void prefetch(Key key) const { __builtin_prefetch(&bucket(mix(key))); }
    void clear();
    std::size_t bytes() const { return growth_.most() * sizeof(Bucket); }  // at most
    void save(SnapshotWriter& out) const;
    void load(SnapshotReader& in);  // adds to what is there; throws InvalidSnapshot at nonsense

  private:
    static constexpr int WAYS = 8;
    struct alignas(64) Bucket {
        std::uint64_t slots[WAYS];  // 56 bits of the mixed key, then a byte as pack_bounds makes it
    };
    void insert(std::uint64_t mixed, std::uint8_t info);
    bool put(std::uint64_t mixed, std::uint8_t info);  // whether it took an empty slot
    Bucket* buckets() const { return static_cast<Bucket*>(memory_.data()); }
    Bucket& bucket(std::uint64_t mixed) const { return buckets()[growth_.bucket_of(mixed)]; }
    static std::uint64_t mixed_key(std::uint64_t slot, std::size_t bucket, std::size_t count);
    void grow();
    void move_bucket(std::size_t from);
    template <typename Visit>
    void for_each(Visit&& visit) const;  // visit(mixed, info)

    IncrementalGrowth growth_;
    HugePages memory_;
};

// For positions whose encoding takes two words, both of which are kept whole.
class WideTable {
  public:
    struct Key {
        std::uint64_t low = 0, high = 0;
        bool operator==(const Key&) const = default;
    };

    explicit WideTable(std::size_t bytes);

    Bounds probe(const Key& key) const;
    void store(const Key& key, const Bounds& bounds, std::uint64_t work) { insert(key, pack_bounds(bounds, work)); }
    void prefetch(const Key& key) const { __builtin_prefetch(&bucket(key)); }
    void clear();
    void forget() { ++epoch_, growth_.drop_entries(); }  // as clear, at once: what keys mean has changed
    std::size_t bytes() const { return growth_.most() * sizeof(Bucket); }
    void save(SnapshotWriter& out) const;
    void load(SnapshotReader& in);

  private:
    static constexpr int WAYS = 3;
    struct alignas(64) Bucket {
        Key keys[WAYS];
        std::uint32_t epochs[WAYS];
        std::uint8_t infos[WAYS];
    };
    void insert(const Key& key, std::uint8_t info);
    bool put(const Key& key, std::uint8_t info);  // whether it took an empty slot
    Bucket* buckets() const { return static_cast<Bucket*>(memory_.data()); }
    Bucket& bucket(const Key& key) const { return buckets()[growth_.bucket_of(mix(key.low ^ mix(key.high)))]; }
    bool is_used(const Bucket& bucket, int way) const { return bucket.infos[way] != 0 && bucket.epochs[way] == epoch_; }
    void grow();
    void move_bucket(std::size_t from);
    template <typename Visit>
    void for_each(Visit&& visit) const;  // visit(key, info)

    IncrementalGrowth growth_;
    std::uint32_t epoch_ = 1;
    HugePages memory_;
};

}  // namespace noughts
