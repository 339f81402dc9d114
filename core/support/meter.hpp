// Counts the nodes of a search and ends it in time.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>

#include "support/interrupt.hpp"

namespace noughts {

class Meter {
  public:
    // Thrown out of a search that must end. `asked` when it was told to from outside or ran out of time or nodes; else
    // it only came to the end of its share, see set_share.
    struct Ended {
        bool asked;
    };
    static constexpr std::uint64_t UNLIMITED = std::numeric_limits<std::uint64_t>::max();

    Meter() = default;
    Meter(double seconds, std::uint64_t nodes, Interrupt interrupt, std::function<void()> progress);

    std::uint64_t nodes() const { return nodes_; }
    double seconds() const;
    // Lets `nodes` more pass before the search ends itself.
    void set_share(std::uint64_t nodes);

    void tick() {
        if (++nodes_ >= next_check_) check();
    }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::uint64_t CHECK_EVERY = 256;         // nodes: a millisecond or two on the largest boards
    static constexpr std::chrono::milliseconds ASK_EVERY{4};  // asking may mean waiting for another thread
    static constexpr std::chrono::milliseconds REPORT_EVERY{250};

    void check();

    std::uint64_t nodes_ = 0, next_check_ = CHECK_EVERY, share_end_ = UNLIMITED, limit_ = UNLIMITED;
    double seconds_ = 0;
    Interrupt interrupt_;
    std::function<void()> progress_;
    Clock::time_point start_ = Clock::now(), asked_ = start_, reported_ = start_;
};

}  // namespace noughts
