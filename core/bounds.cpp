#include "bounds.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <istream>
#include <ostream>
#include <stdexcept>

namespace noughts {
namespace {

constexpr std::size_t FIRST_BUCKETS = 4096, GROW_BY = 4;
constexpr std::uint64_t SLOT_MASK = (std::uint64_t{1} << 56) - 1;

template <typename Value>
void write(std::ostream& out, Value value) {
    char bytes[sizeof value];
    for (std::size_t i = 0; i < sizeof value; ++i) bytes[i] = static_cast<char>(value >> (8 * i) & 0xff);
    out.write(bytes, sizeof value);
}

template <typename Value>
Value read(std::istream& in) {
    unsigned char bytes[sizeof(Value)];
    if (!in.read(reinterpret_cast<char*>(bytes), sizeof bytes)) throw std::invalid_argument("expected a whole table of values, but the file ends early");
    Value value = 0;
    for (std::size_t i = 0; i < sizeof value; ++i) value = static_cast<Value>(value | static_cast<Value>(bytes[i]) << (8 * i));
    return value;
}

void check_info(std::uint8_t info) {
    const Bounds bounds = unpack_bounds(info);
    if ((info & 15) == 0 || (info & 15) > 9 || bounds.lower > bounds.upper) throw std::invalid_argument("expected bounds of values in the table, got something else");
}

// Both halves of knowledge about one position.
std::uint8_t join(std::uint8_t old, std::uint8_t info) {
    const Bounds a = unpack_bounds(old), b = unpack_bounds(info);
    const Bounds both{std::max(a.lower, b.lower), std::min(a.upper, b.upper)};
    return static_cast<std::uint8_t>((pack_bounds(both, 0) & 15) | (std::max(old >> 4, info >> 4) << 4));
}

}  // namespace

std::uint8_t pack_bounds(const Bounds& bounds, std::uint64_t work) {
    const int effort = std::min(15, static_cast<int>(std::bit_width(work)) / 2);
    return static_cast<std::uint8_t>(effort << 4 | (bounds.lower + 1 + 3 * (bounds.upper + 1) + 1));
}

Growth::Growth(std::size_t most, std::size_t least)
    : most_(std::max(most, least)), start_(std::min(most_, std::max(least, FIRST_BUCKETS))), count_(start_) {}

void Growth::grow() {
    count_ = std::min(most_, count_ * GROW_BY);
    entries_ = 0;
}

void Growth::restart() {
    count_ = start_;
    entries_ = 0;
}

// --- one word ----------------------------------------------------------------------------------------------------

NarrowTable::NarrowTable(std::size_t bytes) : growth_(bytes / sizeof(Bucket), LEAST_BUCKETS), slab_(growth_.count(), sizeof(Bucket)) {}

void NarrowTable::clear() {
    growth_.restart();
    slab_ = Slab(growth_.count(), sizeof(Bucket));
}

void NarrowTable::grow() {
    const NarrowTable old = std::move(*this);
    growth_ = old.growth_;
    growth_.grow();
    slab_ = Slab(growth_.count(), sizeof(Bucket));
    old.for_each([this](std::uint64_t mixed, std::uint8_t info) { insert(mixed, info); });
}

Bounds NarrowTable::probe(Key key) const {
    const std::uint64_t mixed = mix(key);
    for (std::uint64_t slot : bucket(mixed).slots)
        if (slot >> 8 == (mixed & SLOT_MASK) && (slot & 0xff) != 0) return unpack_bounds(static_cast<std::uint8_t>(slot));
    return {};
}

void NarrowTable::store(Key key, const Bounds& bounds, std::uint64_t work) { insert(mix(key), pack_bounds(bounds, work)); }

// Replaces the same position, else an empty slot, else the one that was the least work. The new one always gets in, and
// what it pushes out was cheapest: early slots are the first to go among equals, so that all are renewed in turn.
void NarrowTable::insert(std::uint64_t mixed, std::uint8_t info) {
    auto& slots = bucket(mixed).slots;
    std::size_t victim = 0;
    unsigned least = 256;
    for (std::size_t i = 0; i < WAYS; ++i) {
        const auto old = static_cast<std::uint8_t>(slots[i]);
        if (slots[i] >> 8 == (mixed & SLOT_MASK) && old != 0) {
            slots[i] = (mixed & SLOT_MASK) << 8 | join(old, info);
            return;
        }
        const unsigned worth = old >> 4;
        if (old == 0 && least > 0) least = 0, victim = i;
        if (old != 0 && worth + 1 < least) least = worth + 1, victim = i;
    }
    // The newest stands last: those that were as cheap move forward and are pushed out before it.
    for (; victim + 1 < WAYS && static_cast<std::uint8_t>(slots[victim + 1]) >> 4 <= info >> 4 && slots[victim + 1] != 0; ++victim) slots[victim] = slots[victim + 1];
    const bool is_new = slots[victim] == 0;
    slots[victim] = (mixed & SLOT_MASK) << 8 | info;
    if (is_new && growth_.is_due(WAYS)) grow();
}

template <typename Visit>
void NarrowTable::for_each(Visit&& visit) const {
    const auto* buckets = static_cast<const Bucket*>(slab_.data());
    const std::size_t count = growth_.count();
    for (std::size_t i = 0; i < count; ++i)
        for (std::uint64_t slot : buckets[i].slots) {
            if (slot == 0) continue;
            // The bucket's keys are fewer than 2^56 and follow each other: its first tells the upper bits of all.
            const auto first = static_cast<std::uint64_t>(((static_cast<DoubleWord>(i) << 64) + count - 1) / count);
            std::uint64_t mixed = (first & ~SLOT_MASK) | slot >> 8;
            if (mixed < first) mixed += SLOT_MASK + 1;
            visit(mixed, static_cast<std::uint8_t>(slot));
        }
}

void NarrowTable::save(std::ostream& out) const {
    for_each([&out](std::uint64_t mixed, std::uint8_t info) {
        write(out, info);
        write(out, mixed);
    });
    write(out, std::uint8_t{0});
}

void NarrowTable::load(std::istream& in) {
    while (const auto info = read<std::uint8_t>(in)) {
        check_info(info);
        insert(read<std::uint64_t>(in), info);
    }
}

// --- two words ---------------------------------------------------------------------------------------------------

WideTable::WideTable(std::size_t bytes) : growth_(bytes / sizeof(Bucket), 1), slab_(growth_.count(), sizeof(Bucket)) {}

void WideTable::clear() {
    growth_.restart();
    slab_ = Slab(growth_.count(), sizeof(Bucket));
}

void WideTable::grow() {
    const WideTable old = std::move(*this);
    growth_ = old.growth_;
    growth_.grow();
    slab_ = Slab(growth_.count(), sizeof(Bucket));
    old.for_each([this](const Key& key, std::uint8_t info) { insert(key, info); });
}

Bounds WideTable::probe(const Key& key) const {
    const Bucket& home = bucket(key);
    for (int i = 0; i < WAYS; ++i)
        if (home.keys[i] == key && home.infos[i] != 0 && home.epochs[i] == epoch_) return unpack_bounds(home.infos[i]);
    return {};
}

void WideTable::insert(const Key& key, std::uint8_t info) {
    Bucket& home = bucket(key);
    int victim = 0;
    int least = 256;
    for (int i = 0; i < WAYS; ++i) {
        const bool used = home.infos[i] != 0 && home.epochs[i] == epoch_;
        if (used && home.keys[i] == key) {
            home.infos[i] = join(home.infos[i], info);
            return;
        }
        const int worth = used ? 1 + (home.infos[i] >> 4) : 0;
        if (worth < least) least = worth, victim = i;
    }
    home.keys[victim] = key;
    home.epochs[victim] = epoch_;
    home.infos[victim] = info;
    if (least == 0 && growth_.is_due(WAYS)) grow();
}

template <typename Visit>
void WideTable::for_each(Visit&& visit) const {
    const auto* buckets = static_cast<const Bucket*>(slab_.data());
    for (std::size_t b = 0; b < growth_.count(); ++b)
        for (int i = 0; i < WAYS; ++i)
            if (buckets[b].infos[i] != 0 && buckets[b].epochs[i] == epoch_) visit(buckets[b].keys[i], buckets[b].infos[i]);
}

void WideTable::save(std::ostream& out) const {
    for_each([&out](const Key& key, std::uint8_t info) {
        write(out, info);
        write(out, key.low);
        write(out, key.high);
    });
    write(out, std::uint8_t{0});
}

void WideTable::load(std::istream& in) {
    while (const auto info = read<std::uint8_t>(in)) {
        check_info(info);
        const auto low = read<std::uint64_t>(in);
        insert({low, read<std::uint64_t>(in)}, info);
    }
}

}  // namespace noughts
