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

// The proof number is the least number of leaves that must still be proved to show that the attacker wins; the disproof
// number, that must be disproved to show that it does not. 0 means that this has been shown.
struct ProofNumbers {
    std::uint32_t proof = 1;
    std::uint32_t disproof = 1;

    bool is_solved() const { return proof == 0 || disproof == 0; }
    bool is_proved() const { return proof == 0; }
    // Whether a search with these thresholds ends.
    bool reach(ProofNumbers thresholds) const {
        return is_solved() || proof >= thresholds.proof || disproof >= thresholds.disproof;
    }
    // The numbers from the view of the side to move: first the one that it must bring to zero, then the other. Applied
    // to such a pair, gives proof and disproof again.
    ProofNumbers for_mover(bool attacking) const { return attacking ? *this : ProofNumbers{disproof, proof}; }
};
inline constexpr std::uint32_t INFINITE = 1u << 30;  // the opposite number of a solved position
inline constexpr ProofNumbers PROVED{0, INFINITE};
inline constexpr ProofNumbers DISPROVED{INFINITE, 0};

struct ProofEntry {
    ProofNumbers numbers;
    std::uint32_t work = 0;        // nodes searched below the position: the cost of finding the numbers again
    std::uint16_t move = NO_MOVE;  // the move that decides the position for the side to move
    std::uint8_t notes = 0;        // defined by the search

    static constexpr std::uint16_t NO_MOVE = 0xffff;
};

// Keys are whole positions (the marks of both sides and everything else that distinguishes positions), not hashes.
// There are no false hits, so entries may be part of a proof.
//
// With several threads, the table is divided into shards, each with its own lock; each shard grows separately.
class ProofTable {
  public:
    static constexpr std::uint8_t TAGS = 8;
    static constexpr std::uint8_t BREAKER_TAG = 4;  // set in the tags of BreakerSearch

    ProofTable(int key_words, std::size_t megabytes, int threads = 1);
    ~ProofTable();

    // `tag`, below TAGS, is part of the key.
    std::optional<ProofEntry> probe(std::span<const Word> key, std::uint8_t tag) const;
    // In a full bucket, the entry that cost the least work is replaced. A solved entry is never replaced by open
    // numbers, which another thread may have computed earlier.
    void store(std::span<const Word> key, std::uint8_t tag, const ProofEntry& entry);

    std::size_t entries() const;
    std::size_t bytes() const;  // maximum size
    TableUse use() const;

    // `load` keeps existing entries. It throws InvalidSnapshot for entries that no search stores, and then leaves an
    // empty table. `game` identifies the game; its moves are below `cells`. Other threads may use the table during
    // `save`, but have to wait for it.
    void save(SnapshotWriter& out, std::uint64_t game) const;
    void load(SnapshotReader& in, std::uint64_t game, int cells);
    // Saves and loads only the entries, as a part of a larger snapshot without header and end.
    void save_entries(SnapshotWriter& out) const;
    void load_entries(SnapshotReader& in, int cells);
    void clear();

  private:
    class Shard;

    Shard& shard_of(std::uint64_t hash) const { return *shards_[hash & (shards_.size() - 1)]; }
    void load_entry(SnapshotReader& in, int cells);

    std::size_t key_words_;
    std::vector<std::unique_ptr<Shard>> shards_;  // their number is a power of two
};

}  // namespace noughts
