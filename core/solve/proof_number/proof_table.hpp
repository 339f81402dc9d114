// Proof numbers of positions, in a table of bounded size that never mistakes one position for another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rules/position.hpp"
#include "support/growing_buckets.hpp"
#include "support/snapshot.hpp"

namespace noughts {

// The proof number is the least number of leaves that must still be won to show a win; the disproof number, to show
// that there is none. Zero means done.
struct ProofNumbers {
    std::uint32_t proof = 1;
    std::uint32_t disproof = 1;

    bool is_solved() const { return proof == 0 || disproof == 0; }
    bool is_proved() const { return proof == 0; }
};
inline constexpr std::uint32_t INFINITE = 1u << 30;  // the other number of a position that is solved
inline constexpr ProofNumbers PROVED{0, INFINITE};
inline constexpr ProofNumbers DISPROVED{INFINITE, 0};

struct ProofEntry {
    ProofNumbers numbers;
    std::uint32_t work = 0;        // nodes searched below the position: the cost of finding the numbers again
    std::uint16_t move = NO_MOVE;  // the move that decided it for the side to move
    std::uint8_t notes = 0;        // for the search

    static constexpr std::uint16_t NO_MOVE = 0xffff;
};

// Keys are whole positions (both sides' marks and all else that distinguishes positions), not hashes: there are no
// false hits, so entries may be part of a proof.
//
// For several threads the table is divided into shards, each of which has a lock and grows on its own.
class ProofTable {
  public:
    static constexpr std::uint8_t TAGS = 8;
    static constexpr std::uint8_t BREAKER_TAG = 4;  // set in the tags of BreakerSearch

    ProofTable(int key_words, std::size_t megabytes, int threads = 1);
    ~ProofTable();

    // `tag`, below TAGS, is part of the key.
    std::optional<ProofEntry> probe(std::span<const Word> key, std::uint8_t tag) const;
    // In a full bucket the entry that cost the least work is replaced. A solved position stays solved: another thread
    // may store numbers that it computed before.
    void store(std::span<const Word> key, std::uint8_t tag, const ProofEntry& entry);

    std::size_t entries() const;
    std::size_t bytes() const;  // at most
    TableUse use() const;

    // `load` keeps existing entries; it throws InvalidSnapshot for entries that no search stores, and then leaves an
    // empty table. `game` identifies the game, and its moves are below `cells`. Other threads may use the table during
    // a `save`, for which they have to wait.
    void save(SnapshotWriter& out, std::uint64_t game) const;
    void load(SnapshotReader& in, std::uint64_t game, int cells);
    // The same as a part of a snapshot, without a header and an end.
    void save_entries(SnapshotWriter& out) const;
    void load_entries(SnapshotReader& in, int cells);
    void clear();

  private:
    class Shard;

    Shard& shard_of(std::uint64_t hash) const { return *shards_[hash & (shards_.size() - 1)]; }
    void load_entry(SnapshotReader& in, int cells);

    std::size_t key_words_;
    std::vector<std::unique_ptr<Shard>> shards_;  // a power of two
};

}  // namespace noughts
