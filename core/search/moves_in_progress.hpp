// The moves that the threads of a search are working on, so that other threads choose different ones (simplified
// ABDADA).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace noughts {

// A hash set without collision handling. If one move overwrites another, two threads may search the same move.
class MovesInProgress {
  public:
    // A move is identified by the key of the position it leads to and the depth of its search.
    bool contains(std::uint64_t key, int depth) const {
        return slot(id_of(key, depth)).load(std::memory_order_relaxed) == id_of(key, depth);
    }
    void add(std::uint64_t key, int depth) {
        slot(id_of(key, depth)).store(id_of(key, depth), std::memory_order_relaxed);
    }
    void remove(std::uint64_t key, int depth) {
        if (contains(key, depth)) slot(id_of(key, depth)).store(0, std::memory_order_relaxed);
    }

  private:
    using Slot = std::atomic<std::uint64_t>;
    static constexpr std::size_t SIZE = 1 << 12;
    static std::uint64_t id_of(std::uint64_t key, int depth) { return key + static_cast<std::uint64_t>(depth); }
    Slot& slot(std::uint64_t id) { return slots_[id & (SIZE - 1)]; }
    const Slot& slot(std::uint64_t id) const { return slots_[id & (SIZE - 1)]; }

    std::array<Slot, SIZE> slots_{};
};

// Adds a move to the set during its lifetime. Does nothing if the set is null.
class MoveInProgress {
  public:
    MoveInProgress(MovesInProgress* moves, std::uint64_t key, int depth = 0) : moves_(moves), key_(key), depth_(depth) {
        if (moves_) moves_->add(key_, depth_);
    }
    ~MoveInProgress() {
        if (moves_) moves_->remove(key_, depth_);
    }
    MoveInProgress(const MoveInProgress&) = delete;
    MoveInProgress& operator=(const MoveInProgress&) = delete;

  private:
    MovesInProgress* moves_;
    std::uint64_t key_;
    int depth_;
};

}  // namespace noughts
