#include "proof_table.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <stdexcept>

namespace noughts {
namespace {

constexpr std::size_t FIRST_BUCKETS = 1 << 10;
constexpr std::size_t GROWTH = 8;  // the old table and the new one are both in memory for a moment: a ninth more
constexpr Word FILE_MARK = 0x31305450'73746867ull;

}  // namespace

ProofTable::ProofTable(int key_words, std::size_t megabytes)
    : key_words_(key_words), slot_words_(static_cast<std::size_t>(key_words) + 2) {
    most_buckets_ = std::max<std::size_t>(16, (megabytes << 20) / (slot_words_ * sizeof(Word) * WAYS));
    buckets_ = std::min(FIRST_BUCKETS, most_buckets_);
    words_.assign(buckets_ * WAYS * slot_words_, 0);
}

std::size_t ProofTable::place_of(std::span<const Word> key, std::uint8_t tag) const {
    std::uint64_t hash = tag;
    for (Word word : key) hash = mix(hash ^ word);
    return static_cast<std::size_t>(((hash >> 32) * buckets_) >> 32) * WAYS * slot_words_;
}

bool ProofTable::holds(std::size_t at, std::span<const Word> key, std::uint8_t tag) const {
    if ((words_[at + slot_words_ - 1] & 0xff) != (IN_USE | tag)) return false;
    return std::equal(key.begin(), key.end(), words_.begin() + static_cast<std::ptrdiff_t>(at));
}

bool ProofTable::probe(std::span<const Word> key, std::uint8_t tag, Proven& found) const {
    std::size_t at = place_of(key, tag);
    for (int way = 0; way < WAYS; ++way, at += slot_words_) {
        if (!holds(at, key, tag)) continue;
        const Word numbers = words_[at + slot_words_ - 2], rest = words_[at + slot_words_ - 1];
        found.numbers = {static_cast<std::uint32_t>(numbers), static_cast<std::uint32_t>(numbers >> 32)};
        found.work = static_cast<std::uint32_t>(rest >> 32);
        found.move = static_cast<std::uint16_t>(rest >> 16);
        found.notes = static_cast<std::uint8_t>(rest >> 8);
        return true;
    }
    return false;
}

void ProofTable::write(std::size_t at, std::span<const Word> key, std::uint8_t tag, const Proven& proven) {
    std::copy(key.begin(), key.end(), words_.begin() + static_cast<std::ptrdiff_t>(at));
    words_[at + slot_words_ - 2] = proven.numbers.proof | static_cast<Word>(proven.numbers.disproof) << 32;
    words_[at + slot_words_ - 1] = static_cast<Word>(proven.work) << 32 | static_cast<Word>(proven.move) << 16 |
                                   static_cast<Word>(proven.notes) << 8 | IN_USE | tag;
}

// What keeping a slot is worth: nothing when it is free; a solved position is final, an open one will be searched again.
std::uint64_t ProofTable::worth(std::size_t at) const {
    const Word rest = words_[at + slot_words_ - 1], numbers = words_[at + slot_words_ - 2];
    if (!(rest & IN_USE)) return 0;
    const std::uint64_t work = 1 + (rest >> 32);
    const bool solved = static_cast<std::uint32_t>(numbers) == 0 || numbers >> 32 == 0;
    return solved ? 4 * work : work;
}

void ProofTable::store(std::span<const Word> key, std::uint8_t tag, const Proven& proven) {
    const std::size_t first = place_of(key, tag);
    std::size_t best = first;
    std::uint64_t least = ~0ull;
    for (int way = 0; way < WAYS; ++way) {
        const std::size_t at = first + way * slot_words_;
        if (holds(at, key, tag)) return write(at, key, tag, proven);
        if (const std::uint64_t value = worth(at); value < least) least = value, best = at;
    }
    write(best, key, tag, proven);
    if (least == 0 && ++entries_ > buckets_ * WAYS / 2 && buckets_ < most_buckets_) grow();
}

void ProofTable::grow() {
    const std::vector<Word> old = std::move(words_);
    buckets_ = std::min(buckets_ * GROWTH, most_buckets_);
    words_.assign(buckets_ * WAYS * slot_words_, 0);
    reinsert(old);
}

void ProofTable::reinsert(std::span<const Word> slots) {
    entries_ = 0;
    for (std::size_t at = 0; at < slots.size(); at += slot_words_) {
        const auto slot = slots.subspan(at, slot_words_);
        if (!(slot.back() & IN_USE)) continue;
        const auto key = slot.first(key_words_);
        const auto tag = static_cast<std::uint8_t>(slot.back() & 0x7f);
        std::size_t place = place_of(key, tag);
        for (int way = 1; way < WAYS && (words_[place + slot_words_ - 1] & IN_USE); ++way) place += slot_words_;
        if (words_[place + slot_words_ - 1] & IN_USE) continue;
        std::copy(slot.begin(), slot.end(), words_.begin() + static_cast<std::ptrdiff_t>(place));
        ++entries_;
    }
}

int ProofTable::per_mille_full() const { return static_cast<int>(entries_ * 1000 / (most_buckets_ * WAYS)); }

void ProofTable::save(const std::string& path, std::uint64_t game) const {
    std::ofstream file(path, std::ios::binary);
    const std::array<Word, 4> head{FILE_MARK, game, static_cast<Word>(key_words_), entries_};
    file.write(reinterpret_cast<const char*>(head.data()), sizeof head);
    for (std::size_t at = 0; at < words_.size(); at += slot_words_)
        if (words_[at + slot_words_ - 1] & IN_USE)
            file.write(reinterpret_cast<const char*>(&words_[at]), static_cast<std::streamsize>(slot_words_ * sizeof(Word)));
    file.close();
    if (!file) throw std::runtime_error("expected to write " + path + ", but that failed");
}

void ProofTable::load(const std::string& path, std::uint64_t game) {
    std::ifstream file(path, std::ios::binary);
    std::array<Word, 4> head{};
    if (!file.read(reinterpret_cast<char*>(head.data()), sizeof head) || head[0] != FILE_MARK)
        throw std::runtime_error("expected a file of an interrupted solve, got " + path);
    if (head[1] != game || head[2] != static_cast<Word>(key_words_))
        throw std::runtime_error("expected a file of this game, but " + path + " is of another");
    std::vector<Word> slots(slot_words_);
    for (Word i = 0; i < head[3]; ++i) {
        if (!file.read(reinterpret_cast<char*>(slots.data()), static_cast<std::streamsize>(slot_words_ * sizeof(Word))))
            throw std::runtime_error("expected " + std::to_string(head[3]) + " positions in " + path + ", but it ends after " + std::to_string(i));
        const Word numbers = slots[slot_words_ - 2], rest = slots[slot_words_ - 1];
        store({slots.data(), static_cast<std::size_t>(key_words_)}, static_cast<std::uint8_t>(rest & 0x7f),
              {{static_cast<std::uint32_t>(numbers), static_cast<std::uint32_t>(numbers >> 32)},
               static_cast<std::uint32_t>(rest >> 32), static_cast<std::uint16_t>(rest >> 16), static_cast<std::uint8_t>(rest >> 8)});
    }
}

}  // namespace noughts
