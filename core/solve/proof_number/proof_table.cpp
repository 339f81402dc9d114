#include "solve/proof_number/proof_table.hpp"

#include <algorithm>
#include <mutex>

#include "support/thread.hpp"

namespace noughts {
namespace {

constexpr std::size_t LEAST_BUCKETS = 16;
constexpr std::size_t SHARDS = 16;  // with several threads
constexpr int WAYS = 4;
constexpr std::uint64_t IN_USE = 0x80, TAG_MASK = 0x7f;

ProofEntry unpack(Word numbers, Word rest) {
    return {{static_cast<std::uint32_t>(numbers), static_cast<std::uint32_t>(numbers >> 32)},
            static_cast<std::uint32_t>(rest >> 32),
            static_cast<std::uint16_t>(rest >> 16),
            static_cast<std::uint8_t>(rest >> 8)};
}

Word pack_numbers(const ProofEntry& entry) {
    return entry.numbers.proof | static_cast<Word>(entry.numbers.disproof) << 32;
}

Word pack_rest(const ProofEntry& entry, std::uint8_t tag) {
    return static_cast<Word>(entry.work) << 32 | static_cast<Word>(entry.move) << 16 |
           static_cast<Word>(entry.notes) << 8 | IN_USE | tag;
}

std::uint64_t hash_of(std::span<const Word> key, std::uint8_t tag) {
    std::uint64_t hash = tag;
    for (Word word : key) hash = mix(hash ^ word);
    return hash;
}

// Whether numbers are valid: solved one way or the other, or open with two numbers between 0 and INFINITE.
bool is_sound(const ProofNumbers& numbers) {
    const auto [proof, disproof] = numbers;
    if (proof == 0 || disproof == 0) return std::max(proof, disproof) == INFINITE;
    return proof < INFINITE && disproof < INFINITE;
}

}  // namespace

// A slot holds the key, the numbers, then work, move, notes and tag. All functions require that the lock is held.
class ProofTable::Shard {
  public:
    Shard(std::size_t key_words, std::size_t bytes)
        : key_words_(key_words),
          slot_words_(key_words + 2),
          buckets_(bytes, bucket_words() * sizeof(Word), WAYS, LEAST_BUCKETS),
          moving_(bucket_words()) {}

    Mutex& mutex() { return mutex_; }
    const GrowingBuckets& buckets() const { return buckets_; }
    void clear() { buckets_.clear(); }
    void make_room_for(std::uint64_t entries) {
        buckets_.make_room_for(entries, [this](std::size_t bucket) { move_bucket(bucket); });
    }

    std::optional<ProofEntry> probe(std::uint64_t hash, std::span<const Word> key, std::uint8_t tag) const {
        std::size_t at = slot_of(hash);
        for (int way = 0; way < WAYS; ++way, at += slot_words_)
            if (holds(at, key, tag)) return unpack(numbers(at), rest(at));
        return std::nullopt;
    }

    void store(std::uint64_t hash, std::span<const Word> key, std::uint8_t tag, const ProofEntry& entry) {
        if (put(hash, key, tag, entry)) buckets_.add_entry([this](std::size_t bucket) { move_bucket(bucket); });
    }

    void save(SnapshotWriter& out) const {
        const std::size_t end = buckets_.count() * bucket_words();
        for (std::size_t at = 0; at < end; at += slot_words_)
            if (is_used(at))
                for (std::size_t i = 0; i < slot_words_; ++i) out.write(slots()[at + i]);
    }

  private:
    std::size_t bucket_words() const { return WAYS * slot_words_; }
    Word* slots() const { return static_cast<Word*>(buckets_.data()); }
    Word& numbers(std::size_t at) const { return slots()[at + key_words_]; }
    Word& rest(std::size_t at) const { return slots()[at + key_words_ + 1]; }
    bool is_used(std::size_t at) const { return rest(at) & IN_USE; }
    bool is_solved(std::size_t at) const {
        return static_cast<std::uint32_t>(numbers(at)) == 0 || numbers(at) >> 32 == 0;
    }

    // The index of the first slot of the bucket.
    std::size_t slot_of(std::uint64_t hash) const { return buckets_.bucket_of(hash) * bucket_words(); }

    bool holds(std::size_t at, std::span<const Word> key, std::uint8_t tag) const {
        if ((rest(at) & 0xff) != (IN_USE | tag)) return false;
        return std::equal(key.begin(), key.end(), slots() + at);
    }

    // The value of keeping a slot, 0 if it is empty. A solved position is final; an open one will be searched again.
    std::uint64_t worth(std::size_t at) const {
        if (!is_used(at)) return 0;
        const std::uint64_t work = 1 + (rest(at) >> 32);
        return is_solved(at) ? 4 * work : work;
    }

    void write(std::size_t at, std::span<const Word> key, std::uint8_t tag, const ProofEntry& entry) {
        std::copy(key.begin(), key.end(), slots() + at);
        numbers(at) = pack_numbers(entry);
        rest(at) = pack_rest(entry, tag);
    }

    // Stores an entry; returns whether it took an empty slot.
    bool put(std::uint64_t hash, std::span<const Word> key, std::uint8_t tag, const ProofEntry& entry) {
        const std::size_t first = slot_of(hash);
        std::size_t best = first;
        std::uint64_t least = ~0ull;
        for (int way = 0; way < WAYS; ++way) {
            const std::size_t at = first + way * slot_words_;
            if (holds(at, key, tag)) {
                if (entry.numbers.is_solved() || !is_solved(at)) write(at, key, tag, entry);
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

    void move_bucket(std::size_t from) {
        Word* bucket = slots() + from * bucket_words();
        std::copy_n(bucket, bucket_words(), moving_.begin());
        std::fill_n(bucket, bucket_words(), 0);
        for (std::size_t at = 0; at < moving_.size(); at += slot_words_) {
            const auto slot = std::span<const Word>(moving_).subspan(at, slot_words_);
            if (!(slot.back() & IN_USE)) continue;
            const auto key = slot.first(key_words_);
            const auto tag = static_cast<std::uint8_t>(slot.back() & TAG_MASK);
            if (!put(hash_of(key, tag), key, tag, unpack(slot[key_words_], slot.back()))) buckets_.drop_entry();
        }
    }

    Mutex mutex_;
    std::size_t key_words_, slot_words_;
    GrowingBuckets buckets_;
    std::vector<Word> moving_;  // the bucket that move_bucket has taken out
};

ProofTable::ProofTable(int key_words, std::size_t megabytes, int threads)
    : key_words_(static_cast<std::size_t>(key_words)), shards_(threads > 1 ? SHARDS : 1) {
    for (auto& shard : shards_) shard = std::make_unique<Shard>(key_words_, (megabytes << 20) / shards_.size());
}
ProofTable::~ProofTable() = default;

std::optional<ProofEntry> ProofTable::probe(std::span<const Word> key, std::uint8_t tag) const {
    const std::uint64_t hash = hash_of(key, tag);
    Shard& shard = shard_of(hash);
    if (shards_.size() == 1) return shard.probe(hash, key, tag);
    const std::lock_guard lock(shard.mutex());
    return shard.probe(hash, key, tag);
}

void ProofTable::store(std::span<const Word> key, std::uint8_t tag, const ProofEntry& entry) {
    const std::uint64_t hash = hash_of(key, tag);
    Shard& shard = shard_of(hash);
    if (shards_.size() == 1) return shard.store(hash, key, tag, entry);
    const std::lock_guard lock(shard.mutex());
    shard.store(hash, key, tag, entry);
}

std::size_t ProofTable::entries() const {
    std::size_t entries = 0;
    for (const auto& shard : shards_) {
        const std::lock_guard lock(shard->mutex());
        entries += shard->buckets().entries();
    }
    return entries;
}

void ProofTable::clear() {
    for (const auto& shard : shards_) shard->clear();
}

std::size_t ProofTable::bytes() const { return shards_.size() * shards_.front()->buckets().bytes(); }

TableUse ProofTable::use() const {
    TableUse sum;
    for (const auto& shard : shards_) {
        const std::lock_guard lock(shard->mutex());
        const TableUse use = shard->buckets().use();
        sum.bytes += use.bytes;
        sum.hashfull += use.hashfull;
    }
    sum.hashfull /= static_cast<int>(shards_.size());
    return sum;
}

void ProofTable::save(SnapshotWriter& out, std::uint64_t game) const {
    out.write_header(SnapshotKind::PROOF_NUMBERS, game);
    save_entries(out);
    out.flush();
}

void ProofTable::save_entries(SnapshotWriter& out) const {
    std::vector<std::unique_ptr<std::lock_guard<Mutex>>> locks;
    for (const auto& shard : shards_) locks.push_back(std::make_unique<std::lock_guard<Mutex>>(shard->mutex()));
    std::uint64_t entries = 0;
    for (const auto& shard : shards_) entries += shard->buckets().entries();
    out.write(entries);
    for (const auto& shard : shards_) shard->save(out);
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
    for (const auto& shard : shards_) shard->make_room_for(entries / shards_.size());
    for (std::uint64_t i = 0; i < entries; ++i) load_entry(in, cells);
}

void ProofTable::load_entry(SnapshotReader& in, int cells) {
    std::vector<Word> slot(key_words_ + 2);
    for (Word& word : slot) word = in.read<Word>();
    const Word rest = slot.back();
    const ProofEntry entry = unpack(slot[key_words_], rest);
    expect_in_snapshot((rest & 0xff) >= IN_USE && (rest & TAG_MASK) < TAGS,
                       "a side to move and an attacker in the saved solve");
    expect_in_snapshot(is_sound(entry.numbers), "proof numbers in the saved solve");
    expect_in_snapshot(entry.move == ProofEntry::NO_MOVE || entry.move < cells,
                       "moves of this game in the saved solve");
    store({slot.data(), key_words_}, static_cast<std::uint8_t>(rest & TAG_MASK), entry);
}

}  // namespace noughts
