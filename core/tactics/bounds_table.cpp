#include "tactics/bounds_table.hpp"

#include <algorithm>
#include <bit>

namespace noughts {
namespace {

constexpr std::size_t SAMPLE = 4096;  // number of buckets
constexpr std::uint64_t SLOT_MASK = (std::uint64_t{1} << 56) - 1;

void check_info(std::uint8_t info) {
    const int code = info & 15;
    expect_in_snapshot(1 <= code && code <= 9, "bounds of values in the saved solve");
    const Bounds bounds = unpack_bounds(info);
    expect_in_snapshot(bounds.lower <= bounds.upper, "bounds of values in the saved solve");
}

// Combines two bounds of the same position; the work is the greater of the two.
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

// --- one word -----------------------------------------------------------------------------------------------------

std::uint8_t NarrowLayout::find(const Bucket& bucket, Entry mixed) const {
    for (const std::uint64_t slot : bucket.slots)
        if (slot >> 8 == (mixed & SLOT_MASK) && (slot & 0xff) != 0) return static_cast<std::uint8_t>(slot);
    return 0;
}

// Replaces the entry of the same position, else takes an empty slot, else replaces the entry that cost the least work.
// Among equals, the first slot is replaced and the new entry goes behind the others, so that all are replaced in turn.
bool NarrowLayout::put(Bucket& bucket, Entry mixed, std::uint8_t info) const {
    auto& slots = bucket.slots;
    std::size_t victim = 0;
    unsigned least = 256;
    for (std::size_t i = 0; i < WAYS; ++i) {
        const std::uint64_t slot = slots[i];  // read only once, since another thread may write it
        const auto old = static_cast<std::uint8_t>(slot);
        if (slot >> 8 == (mixed & SLOT_MASK) && old != 0) {
            slots[i] = (mixed & SLOT_MASK) << 8 | join(old, info);
            return false;
        }
        const unsigned worth = old == 0 ? 0 : 1 + (old >> 4);
        if (worth < least) {
            least = worth;
            victim = i;
        }
    }
    const auto is_no_dearer = [&](std::uint64_t slot) {
        return slot != 0 && static_cast<std::uint8_t>(slot) >> 4 <= info >> 4;
    };
    for (; victim + 1 < WAYS && is_no_dearer(slots[victim + 1]); ++victim) slots[victim] = slots[victim + 1];
    const bool is_new = slots[victim] == 0;
    slots[victim] = (mixed & SLOT_MASK) << 8 | info;
    return is_new;
}

// The mixed keys in bucket `bucket` of `scale` buckets are consecutive and fewer than 2^56, so the first of them gives
// the upper bits of all.
std::uint64_t NarrowLayout::mixed_key(std::uint64_t slot, std::size_t bucket, std::size_t scale) {
    const std::uint64_t first = divide_high(bucket, scale);
    const std::uint64_t mixed = (first & ~SLOT_MASK) | slot >> 8;
    return mixed < first ? mixed + SLOT_MASK + 1 : mixed;
}

// --- two words ----------------------------------------------------------------------------------------------------

std::uint8_t WideLayout::find(const Bucket& bucket, const Entry& key) const {
    for (int way = 0; way < WAYS; ++way)
        if (bucket.keys[way] == key && is_used(bucket, way)) return bucket.infos[way];
    return 0;
}

bool WideLayout::put(Bucket& bucket, const Entry& key, std::uint8_t info) const {
    int victim = 0, least = 256;
    for (int way = 0; way < WAYS; ++way) {
        const bool used = is_used(bucket, way);
        if (used && bucket.keys[way] == key) {
            bucket.infos[way] = join(bucket.infos[way], info);
            return false;
        }
        const int worth = used ? 1 + (bucket.infos[way] >> 4) : 0;
        if (worth < least) {
            least = worth;
            victim = way;
        }
    }
    bucket.keys[victim] = key;
    bucket.epochs[victim] = epoch_;
    bucket.infos[victim] = info;
    return least == 0;
}

void WideLayout::write(SnapshotWriter& out, const Entry& key) {
    out.write(key.low);
    out.write(key.high);
}

WideLayout::Entry WideLayout::read(SnapshotReader& in) {
    const auto low = in.read<std::uint64_t>();
    return {low, in.read<std::uint64_t>()};
}

// --- both ---------------------------------------------------------------------------------------------------------

template <typename Layout>
void BoundsTable<Layout>::move_bucket(std::size_t from) {
    const Bucket old = buckets()[from];
    buckets()[from] = {};
    layout_.for_each(old, from, buckets_.scale_before(), [this](const Entry& entry, std::uint8_t info) {
        if (!layout_.put(bucket(entry), entry, info)) buckets_.drop_entry();
    });
}

template <typename Layout>
std::uint64_t BoundsTable<Layout>::count_entries(std::size_t step) const {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < buckets_.count(); i += step)
        layout_.for_each(copy_of(i), i, buckets_.scale_of(i), [&count](const Entry&, std::uint8_t) { ++count; });
    return count;
}

// An estimate from a sample: threads that share the table do not count its entries.
template <typename Layout>
TableUse BoundsTable<Layout>::use() const {
    return buckets_.use(is_shared_ ? estimate_entries() : buckets_.entries());
}

template <typename Layout>
std::uint64_t BoundsTable<Layout>::estimate_entries() const {
    const std::size_t step = std::max<std::size_t>(1, buckets_.count() / SAMPLE);
    return count_entries(step) * buckets_.count() / ((buckets_.count() + step - 1) / step);
}

// Other threads may add entries during the save, but none empties a slot, so all entries counted are found.
template <typename Layout>
void BoundsTable<Layout>::save(SnapshotWriter& out) const {
    std::uint64_t left = is_shared_ ? count_entries(1) : buckets_.entries();
    out.write(left);
    for (std::size_t i = 0; i < buckets_.count(); ++i)
        layout_.for_each(copy_of(i), i, buckets_.scale_of(i), [&](const Entry& entry, std::uint8_t info) {
            if (left == 0) return;
            --left;
            out.write(info);
            Layout::write(out, entry);
        });
}

template <typename Layout>
void BoundsTable<Layout>::load(SnapshotReader& in) {
    const auto entries = in.read<std::uint64_t>();
    buckets_.make_room_for(entries, [this](std::size_t from) { move_bucket(from); });
    for (std::uint64_t i = 0; i < entries; ++i) {
        const auto info = in.read<std::uint8_t>();
        check_info(info);
        insert(Layout::read(in), info);
    }
}

template class BoundsTable<NarrowLayout>;
template class BoundsTable<WideLayout>;

}  // namespace noughts
