#include "solve/bounds_table.hpp"

#include <algorithm>
#include <bit>

namespace noughts {
namespace {

constexpr std::uint64_t SLOT_MASK = (std::uint64_t{1} << 56) - 1;

void check_info(std::uint8_t info) {
    const int code = info & 15;
    expect_in_snapshot(1 <= code && code <= 9, "bounds of values in the saved solve");
    const Bounds bounds = unpack_bounds(info);
    expect_in_snapshot(bounds.lower <= bounds.upper, "bounds of values in the saved solve");
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

// --- one word ----------------------------------------------------------------------------------------------------

NarrowTable::NarrowTable(std::size_t bytes)
    : growth_(bytes / sizeof(Bucket), LEAST_BUCKETS), memory_(growth_.most(), sizeof(Bucket)) {}

void NarrowTable::clear() {
    growth_.restart();
    memory_ = HugePages(growth_.most(), sizeof(Bucket));
}

void NarrowTable::grow() {
    growth_.advance(WAYS, memory_, sizeof(Bucket), [this](std::size_t bucket) { move_bucket(bucket); });
}

void NarrowTable::move_bucket(std::size_t from) {
    const Bucket old = buckets()[from];
    buckets()[from] = {};
    for (const std::uint64_t slot : old.slots)
        if (slot != 0 && !put(mixed_key(slot, from, growth_.scale_before()), static_cast<std::uint8_t>(slot)))
            growth_.drop_entry();
}

Bounds NarrowTable::probe(Key key) const {
    const std::uint64_t mixed = mix(key);
    for (std::uint64_t slot : bucket(mixed).slots)
        if (slot >> 8 == (mixed & SLOT_MASK) && (slot & 0xff) != 0)
            return unpack_bounds(static_cast<std::uint8_t>(slot));
    return {};
}

void NarrowTable::store(Key key, const Bounds& bounds, std::uint64_t work) {
    insert(mix(key), pack_bounds(bounds, work));
}

void NarrowTable::insert(std::uint64_t mixed, std::uint8_t info) {
    if (put(mixed, info) && growth_.add_entry(WAYS)) grow();
}

// Replaces the same position, else an empty slot, else the one that was the least work. The new one always gets in, and
// what it pushes out was cheapest: early slots are the first to go among equals, so that all are renewed in turn.
bool NarrowTable::put(std::uint64_t mixed, std::uint8_t info) {
    auto& slots = bucket(mixed).slots;
    std::size_t victim = 0;
    unsigned least = 256;
    for (std::size_t i = 0; i < WAYS; ++i) {
        const auto old = static_cast<std::uint8_t>(slots[i]);
        if (slots[i] >> 8 == (mixed & SLOT_MASK) && old != 0) {
            slots[i] = (mixed & SLOT_MASK) << 8 | join(old, info);
            return false;
        }
        const unsigned worth = old >> 4;
        if (old == 0 && least > 0) least = 0, victim = i;
        if (old != 0 && worth + 1 < least) least = worth + 1, victim = i;
    }
    // The newest stands last: those that were as cheap move forward and are pushed out before it.
    for (;
         victim + 1 < WAYS && static_cast<std::uint8_t>(slots[victim + 1]) >> 4 <= info >> 4 && slots[victim + 1] != 0;
         ++victim)
        slots[victim] = slots[victim + 1];
    const bool is_new = slots[victim] == 0;
    slots[victim] = (mixed & SLOT_MASK) << 8 | info;
    return is_new;
}

// The keys of a bucket, one of `count`, are fewer than 2^56 and follow each other: its first tells the upper bits of
// all.
std::uint64_t NarrowTable::mixed_key(std::uint64_t slot, std::size_t bucket, std::size_t count) {
    const auto first = static_cast<std::uint64_t>(((static_cast<DoubleWord>(bucket) << 64) + count - 1) / count);
    const std::uint64_t mixed = (first & ~SLOT_MASK) | slot >> 8;
    return mixed < first ? mixed + SLOT_MASK + 1 : mixed;
}

template <typename Visit>
void NarrowTable::for_each(Visit&& visit) const {
    for (std::size_t i = 0; i < growth_.count(); ++i)
        for (const std::uint64_t slot : buckets()[i].slots)
            if (slot != 0) visit(mixed_key(slot, i, growth_.scale_of(i)), static_cast<std::uint8_t>(slot));
}

void NarrowTable::save(SnapshotWriter& out) const {
    out.write(static_cast<std::uint64_t>(growth_.entries()));
    for_each([&out](std::uint64_t mixed, std::uint8_t info) {
        out.write(info);
        out.write(mixed);
    });
}

void NarrowTable::load(SnapshotReader& in) {
    const auto entries = in.read<std::uint64_t>();
    growth_.make_room_for(entries, WAYS, memory_, sizeof(Bucket), [this](std::size_t bucket) { move_bucket(bucket); });
    for (std::uint64_t i = 0; i < entries; ++i) {
        const auto info = in.read<std::uint8_t>();
        check_info(info);
        insert(in.read<std::uint64_t>(), info);
    }
}

// --- two words ---------------------------------------------------------------------------------------------------

WideTable::WideTable(std::size_t bytes) : growth_(bytes / sizeof(Bucket), 1), memory_(growth_.most(), sizeof(Bucket)) {}

void WideTable::clear() {
    growth_.restart();
    memory_ = HugePages(growth_.most(), sizeof(Bucket));
}

void WideTable::grow() {
    growth_.advance(WAYS, memory_, sizeof(Bucket), [this](std::size_t bucket) { move_bucket(bucket); });
}

void WideTable::move_bucket(std::size_t from) {
    const Bucket old = buckets()[from];
    buckets()[from] = {};
    for (int way = 0; way < WAYS; ++way)
        if (is_used(old, way) && !put(old.keys[way], old.infos[way])) growth_.drop_entry();
}

Bounds WideTable::probe(const Key& key) const {
    const Bucket& home = bucket(key);
    for (int way = 0; way < WAYS; ++way)
        if (home.keys[way] == key && is_used(home, way)) return unpack_bounds(home.infos[way]);
    return {};
}

void WideTable::insert(const Key& key, std::uint8_t info) {
    if (put(key, info) && growth_.add_entry(WAYS)) grow();
}

bool WideTable::put(const Key& key, std::uint8_t info) {
    Bucket& home = bucket(key);
    int victim = 0;
    int least = 256;
    for (int way = 0; way < WAYS; ++way) {
        const bool used = is_used(home, way);
        if (used && home.keys[way] == key) {
            home.infos[way] = join(home.infos[way], info);
            return false;
        }
        const int worth = used ? 1 + (home.infos[way] >> 4) : 0;
        if (worth < least) least = worth, victim = way;
    }
    home.keys[victim] = key;
    home.epochs[victim] = epoch_;
    home.infos[victim] = info;
    return least == 0;
}

template <typename Visit>
void WideTable::for_each(Visit&& visit) const {
    for (std::size_t b = 0; b < growth_.count(); ++b)
        for (int way = 0; way < WAYS; ++way)
            if (const Bucket& home = buckets()[b]; is_used(home, way)) visit(home.keys[way], home.infos[way]);
}

void WideTable::save(SnapshotWriter& out) const {
    out.write(static_cast<std::uint64_t>(growth_.entries()));
    for_each([&out](const Key& key, std::uint8_t info) {
        out.write(info);
        out.write(key.low);
        out.write(key.high);
    });
}

void WideTable::load(SnapshotReader& in) {
    const auto entries = in.read<std::uint64_t>();
    growth_.make_room_for(entries, WAYS, memory_, sizeof(Bucket), [this](std::size_t bucket) { move_bucket(bucket); });
    for (std::uint64_t i = 0; i < entries; ++i) {
        const auto info = in.read<std::uint8_t>();
        check_info(info);
        const auto low = in.read<std::uint64_t>();
        insert({low, in.read<std::uint64_t>()}, info);
    }
}

}  // namespace noughts
