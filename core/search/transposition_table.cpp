#include "search/transposition_table.hpp"

#include <algorithm>

namespace noughts {
namespace {

// Bits of an entry: 0-12 move + 1, 13-36 score + 2^23, 37-44 depth, 45-46 bound, 47-51 age
constexpr int SCORE_SHIFT = 13, DEPTH_SHIFT = 37, BOUND_SHIFT = 45, AGE_SHIFT = 47;
constexpr std::uint64_t SCORE_OFFSET = 1u << 23;

std::uint64_t pack(const TableEntry& entry, std::uint32_t age) {
    return static_cast<std::uint64_t>(entry.move + 1) |
           static_cast<std::uint64_t>(entry.score + static_cast<std::int64_t>(SCORE_OFFSET)) << SCORE_SHIFT |
           static_cast<std::uint64_t>(std::clamp(entry.depth, 0, TO_THE_END)) << DEPTH_SHIFT |
           static_cast<std::uint64_t>(entry.bound) << BOUND_SHIFT | static_cast<std::uint64_t>(age) << AGE_SHIFT;
}

TableEntry unpack(std::uint64_t data) {
    return {static_cast<int>(data & 0x1fff) - 1,
            static_cast<int>(static_cast<std::int64_t>(data >> SCORE_SHIFT & 0xffffff) -
                             static_cast<std::int64_t>(SCORE_OFFSET)),
            static_cast<int>(data >> DEPTH_SHIFT & 0xff), static_cast<Bound>(data >> BOUND_SHIFT & 3)};
}

std::uint32_t age_of(std::uint64_t data) { return static_cast<std::uint32_t>(data >> AGE_SHIFT & 31); }

}  // namespace

TranspositionTable::TranspositionTable(std::size_t megabytes)
    : count_(megabytes * 1024 * 1024 / sizeof(Bucket)), memory_(count_, sizeof(Bucket)) {
    memory_.claim();
}

void TranspositionTable::clear() {
    memory_ = HugePages(count_, sizeof(Bucket));
    memory_.claim();
    age_ = 0;
}

std::optional<TableEntry> TranspositionTable::probe(std::uint64_t key) const {
    for (auto& slot : bucket(key).slots) {
        const std::uint64_t data = load(slot.data);
        if (data != 0 && (load(slot.check) ^ data) == key) return unpack(data);
    }
    return std::nullopt;
}

// Replaces the entry of the same position, else an empty slot, else the entry of the least depth, older ones first.
void TranspositionTable::store(std::uint64_t key, const TableEntry& entry) {
    constexpr int SAME_POSITION = -2'000'000, EMPTY = -1'000'000;  // both are below the rank of any other entry
    Slot* victim = nullptr;
    int least = 1 << 30;
    for (auto& slot : bucket(key).slots) {
        const std::uint64_t data = load(slot.data);
        const bool same = data != 0 && (load(slot.check) ^ data) == key;
        const int years = static_cast<int>((age_ - age_of(data)) & 31);
        const int worth = same ? SAME_POSITION : data == 0 ? EMPTY : unpack(data).depth - 16 * years;
        if (worth < least) {
            least = worth;
            victim = &slot;
        }
    }
    TableEntry kept = entry;
    if (least == SAME_POSITION) {
        const TableEntry old = unpack(load(victim->data));
        if (kept.move < 0) kept.move = old.move;
        // Do not replace a much deeper result of the current age by a bound.
        if (kept.bound != Bound::EXACT && kept.depth + 3 < old.depth && age_of(load(victim->data)) == age_) return;
    }
    const std::uint64_t data = pack(kept, age_);
    store(victim->data, data);
    store(victim->check, key ^ data);
}

int TranspositionTable::hashfull() const {
    const std::size_t sample = std::min<std::size_t>(count_, 250);
    int used = 0;
    for (std::size_t i = 0; i < sample; ++i)
        for (auto& slot : buckets()[i].slots) {
            const std::uint64_t data = load(slot.data);
            used += data != 0 && age_of(data) == age_;
        }
    return sample == 0 ? 0 : static_cast<int>(used * 1000 / (sample * WAYS));
}

}  // namespace noughts
