// What is known for certain of positions' values: a bounded table that never takes one position for another.
#pragma once

#include <cstdint>
#include <iosfwd>

#include "game.hpp"
#include "slab.hpp"

namespace noughts {

__extension__ using DoubleWord = unsigned __int128;  // to scale 64 bits to the number of buckets

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

// Tables start small, since memory costs time when it is first touched, and grow as they fill up to the size allowed.
class Growth {
   public:
    Growth(std::size_t most, std::size_t least);
    std::size_t count() const { return count_; }  // buckets now
    std::size_t most() const { return most_; }    // buckets allowed
    // Told of every new entry: whether it is time to grow.
    bool is_due(int ways) { return ++entries_ * 2 > count_ * static_cast<std::size_t>(ways) && count_ < most_; }
    void grow();
    void restart();

   private:
    std::size_t most_, start_, count_, entries_ = 0;
};

// For positions whose exact encoding takes one word. The word is mixed by a function that can be turned round, its upper
// bits choose the bucket and the lower 56 are kept in the slot: together they are the whole key, so a hit is never false.
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
    void save(std::ostream& out) const;
    void load(std::istream& in);  // adds to what is there; throws std::invalid_argument at nonsense

   private:
    static constexpr int WAYS = 8;
    struct alignas(64) Bucket {
        std::uint64_t slots[WAYS];  // 56 bits of the mixed key, then a byte as pack_bounds makes it
    };
    void insert(std::uint64_t mixed, std::uint8_t info);
    Bucket& bucket(std::uint64_t mixed) const { return static_cast<Bucket*>(slab_.data())[bucket_of(mixed)]; }
    std::size_t bucket_of(std::uint64_t mixed) const {
        return static_cast<std::size_t>((static_cast<DoubleWord>(mixed) * growth_.count()) >> 64);
    }

    void grow();
    template <typename Visit>
    void for_each(Visit&& visit) const;  // visit(mixed, info)

    Growth growth_;
    Slab slab_;
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
    void forget() { ++epoch_; }  // as clear, at once: what keys mean has changed
    std::size_t bytes() const { return growth_.most() * sizeof(Bucket); }
    void save(std::ostream& out) const;
    void load(std::istream& in);

   private:
    static constexpr int WAYS = 3;
    struct alignas(64) Bucket {
        Key keys[WAYS];
        std::uint32_t epochs[WAYS];
        std::uint8_t infos[WAYS];
    };
    void insert(const Key& key, std::uint8_t info);
    Bucket& bucket(const Key& key) const {
        const std::uint64_t mixed = mix(key.low ^ mix(key.high));
        return static_cast<Bucket*>(slab_.data())[static_cast<std::size_t>((static_cast<DoubleWord>(mixed) * growth_.count()) >> 64)];
    }

    void grow();
    template <typename Visit>
    void for_each(Visit&& visit) const;  // visit(key, info)

    Growth growth_;
    std::uint32_t epoch_ = 1;
    Slab slab_;
};

}  // namespace noughts
