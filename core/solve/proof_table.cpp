#include "solve/proof_table.hpp"

#include <algorithm>

namespace noughts {
namespace {

constexpr std::size_t LEAST_BUCKETS = 16;

ProofEntry unpack(Word numbers, Word rest) {
    return {{static_cast<std::uint32_t>(numbers), static_cast<std::uint32_t>(numbers >> 32)},
            static_cast<std::uint32_t>(rest >> 32),
            static_cast<std::uint16_t>(rest >> 16),
            static_cast<std::uint8_t>(rest >> 8)};
}

// SolveResult one way or the other, or open with two numbers that count something.
bool is_sound(const ProofNumbers& numbers) {
    const auto [proof, disproof] = numbers;
    if (proof == 0 || disproof == 0) return std::max(proof, disproof) == INFINITE;
    return proof < INFINITE && disproof < INFINITE;
}

}  // namespace

ProofTable::ProofTable(int key_words, std::size_t megabytes)
    : key_words_(key_words),
      slot_words_(static_cast<std::size_t>(key_words) + 2),
      buckets_(megabytes << 20, bucket_words() * sizeof(Word), WAYS, LEAST_BUCKETS),
      moving_(bucket_words()) {}

std::size_t ProofTable::slot_of(std::span<const Word> key, std::uint8_t tag) const {
    std::uint64_t hash = tag;
    for (Word word : key) hash = mix(hash ^ word);
    return buckets_.bucket_of(hash) * bucket_words();
}

bool ProofTable::holds(std::size_t at, std::span<const Word> key, std::uint8_t tag) const {
    if ((slots()[at + slot_words_ - 1] & 0xff) != (IN_USE | tag)) return false;
    return std::equal(key.begin(), key.end(), slots() + at);
}

std::optional<ProofEntry> ProofTable::probe(std::span<const Word> key, std::uint8_t tag) const {
    std::size_t at = slot_of(key, tag);
    for (int way = 0; way < WAYS; ++way, at += slot_words_)
        if (holds(at, key, tag)) return unpack(slots()[at + slot_words_ - 2], slots()[at + slot_words_ - 1]);
    return std::nullopt;
}

void ProofTable::write(std::size_t at, std::span<const Word> key, std::uint8_t tag, const ProofEntry& entry) {
    std::copy(key.begin(), key.end(), slots() + at);
    slots()[at + slot_words_ - 2] = entry.numbers.proof | static_cast<Word>(entry.numbers.disproof) << 32;
    slots()[at + slot_words_ - 1] = static_cast<Word>(entry.work) << 32 | static_cast<Word>(entry.move) << 16 |
                                    static_cast<Word>(entry.notes) << 8 | IN_USE | tag;
}

// The value of keeping a slot: 0 when it is empty. A solved position is final, an open one will be searched again.
std::uint64_t ProofTable::worth(std::size_t at) const {
    const Word rest = slots()[at + slot_words_ - 1], numbers = slots()[at + slot_words_ - 2];
    if (!is_used(at)) return 0;
    const std::uint64_t work = 1 + (rest >> 32);
    const bool solved = static_cast<std::uint32_t>(numbers) == 0 || numbers >> 32 == 0;
    return solved ? 4 * work : work;
}

void ProofTable::store(std::span<const Word> key, std::uint8_t tag, const ProofEntry& entry) {
    if (put(key, tag, entry)) buckets_.add_entry([this](std::size_t bucket) { move_bucket(bucket); });
}

bool ProofTable::put(std::span<const Word> key, std::uint8_t tag, const ProofEntry& entry) {
    const std::size_t first = slot_of(key, tag);
    std::size_t best = first;
    std::uint64_t least = ~0ull;
    for (int way = 0; way < WAYS; ++way) {
        const std::size_t at = first + way * slot_words_;
        if (holds(at, key, tag)) {
            write(at, key, tag, entry);
            return false;
        }
        if (const std::uint64_t value = worth(at); value < least) {
            least = value;
            best = at;
        }
    }
    write(best, key, tag, entry);
    return least == 0;
}

void ProofTable::move_bucket(std::size_t from) {
    Word* bucket = slots() + from * bucket_words();
    std::copy_n(bucket, bucket_words(), moving_.begin());
    std::fill_n(bucket, bucket_words(), 0);
    for (std::size_t at = 0; at < moving_.size(); at += slot_words_) {
        const auto slot = std::span<const Word>(moving_).subspan(at, slot_words_);
        const Word rest = slot.back();
        if (!(rest & IN_USE)) continue;
        if (!put(slot.first(key_words_), static_cast<std::uint8_t>(rest & 0x7f), unpack(slot[slot_words_ - 2], rest)))
            buckets_.drop_entry();
    }
}

void ProofTable::save(SnapshotWriter& out, std::uint64_t game) const {
    out.write_header(SnapshotKind::PROOF_NUMBERS, game);
    save_entries(out);
    out.flush();
}

void ProofTable::save_entries(SnapshotWriter& out) const {
    out.write(static_cast<std::uint64_t>(buckets_.entries()));
    const std::size_t end = buckets_.count() * bucket_words();
    for (std::size_t at = 0; at < end; at += slot_words_)
        if (is_used(at))
            for (std::size_t i = 0; i < slot_words_; ++i) out.write(slots()[at + i]);
}

void ProofTable::load(SnapshotReader& in, std::uint64_t game, int cells) {
    in.expect_header(SnapshotKind::PROOF_NUMBERS, game);
    try {
        load_entries(in, cells);
        in.expect_end();
    } catch (...) {
        clear();
        throw;
    }
}

void ProofTable::load_entries(SnapshotReader& in, int cells) {
    const auto entries = in.read<std::uint64_t>();
    buckets_.make_room_for(entries, [this](std::size_t bucket) { move_bucket(bucket); });
    for (std::uint64_t i = 0; i < entries; ++i) load_entry(in, cells);
}

void ProofTable::load_entry(SnapshotReader& in, int cells) {
    std::vector<Word> slot(slot_words_);
    for (Word& word : slot) word = in.read<Word>();
    const Word rest = slot.back();
    const ProofEntry entry = unpack(slot[slot_words_ - 2], rest);
    expect_in_snapshot((rest & 0xff) >= IN_USE && (rest & 0x7f) < TAGS,
                       "a side to move and an attacker in the saved solve");
    expect_in_snapshot(is_sound(entry.numbers), "proof numbers in the saved solve");
    expect_in_snapshot(entry.move == ProofEntry::NO_MOVE || entry.move < cells,
                       "moves of this game in the saved solve");
    store({slot.data(), static_cast<std::size_t>(key_words_)}, static_cast<std::uint8_t>(rest & 0x7f), entry);
}

}  // namespace noughts
