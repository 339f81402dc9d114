// What the threads of a search are looking at, so that each looks at something else while it can.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace noughts {

// A few thousand moves under search, by the key of the position they lead to. One that is overwritten by another is
// only looked at twice.
class Busy {
  public:
    bool holds(std::uint64_t key) const { return place(key).load(std::memory_order_relaxed) == key; }
    void add(std::uint64_t key) { place(key).store(key, std::memory_order_relaxed); }
    void remove(std::uint64_t key) {
        if (holds(key)) place(key).store(0, std::memory_order_relaxed);
    }

  private:
    static constexpr std::size_t SIZE = 1 << 12;
    std::atomic<std::uint64_t>& place(std::uint64_t key) const { return places_[key & (SIZE - 1)]; }

    mutable std::array<std::atomic<std::uint64_t>, SIZE> places_{};
};

}  // namespace noughts
