// The positions that threads of a proof-number search are working on, so that other threads prefer different ones.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <span>

#include "rules/position.hpp"
#include "solve/proof_number/proof_table.hpp"

namespace noughts {

// Counts, for each position, the threads that are there and those that have left. Two positions may share a counter;
// then a thread may avoid a position, or look it up again, without need.
class PositionsInProgress {
  public:
    // A number that changes whenever a thread arrives at the position or leaves it.
    std::uint32_t state(std::span<const Word> key) const {
        return slots_[slot_of(key)].load(std::memory_order_relaxed);
    }
    static std::uint32_t threads(std::uint32_t state) { return state & (DEPARTURE - 1); }
    // A virtual loss: raises a number of the position according to the threads that work on it.
    static std::uint32_t virtual_number(std::uint32_t number, std::uint32_t state) {
        const std::uint64_t loss = threads(state) * (std::uint64_t{number} / 2 + 1);
        if (loss == 0 || number == 0 || number >= INFINITE) return number;
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(number + loss, INFINITE - 1));
    }
    void arrive(std::span<const Word> key) { slots_[slot_of(key)].fetch_add(1, std::memory_order_relaxed); }
    void leave(std::span<const Word> key) { slots_[slot_of(key)].fetch_add(DEPARTURE - 1, std::memory_order_relaxed); }
    void clear() {
        for (auto& slot : slots_) slot.store(0, std::memory_order_relaxed);
    }

  private:
    static constexpr std::size_t SIZE = 1 << 13;
    static constexpr std::uint32_t DEPARTURE = 1 << 12;  // larger than any number of threads

    static std::size_t slot_of(std::span<const Word> key) {
        std::uint64_t hash = 1;
        for (const Word word : key) hash = mix(hash ^ word);
        return hash & (SIZE - 1);
    }

    std::array<std::atomic<std::uint32_t>, SIZE> slots_{};
};

}  // namespace noughts
