// How much work may still be done, and who else may end it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

#include "support/interrupt.hpp"

namespace noughts {

class Budget {
  public:
    // Called some four times a second with the seconds gone by; false ends the work.
    using Report = std::function<bool(double seconds)>;

    Budget(double seconds, std::uint64_t nodes, Interrupt interrupt = {}, Report report = {})
        : seconds_(seconds), nodes_(nodes), interrupt_(std::move(interrupt)), report_(std::move(report)) {}

    // To be called at every node.
    void use() {
        ++used_;
        if (nodes_ > 0 && used_ > nodes_) spent_ = true;
        ask();
    }
    bool is_spent() const { return spent_; }
    // Looks at the clock, and now and then asks whoever may interrupt: to be called every millisecond or so.
    bool ask() {
        if (!spent_) look_around();
        return spent_;
    }

    // Lets only so many nodes be used before the work is to be laid aside; 0: no such pause.
    void pause_after(std::uint64_t nodes) { pause_at_ = nodes == 0 ? ~0ull : used_ + nodes; }
    bool must_end() const { return spent_ || used_ >= pause_at_; }

    std::uint64_t used() const { return used_; }
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  private:
    using Clock = std::chrono::steady_clock;

    void look_around() {
        const double now = seconds();
        if (now - last_look_ < 0.002) return;
        last_look_ = now;
        if (seconds_ > 0 && now >= seconds_) spent_ = true;
        if (interrupt_ && interrupt_()) spent_ = true;
        if (spent_ || !report_ || now - last_report_ < 0.25) return;
        last_report_ = now;
        if (!report_(now)) spent_ = true;
    }

    double seconds_;
    std::uint64_t nodes_;
    Interrupt interrupt_;
    Report report_;
    Clock::time_point start_ = Clock::now();
    double last_look_ = 0, last_report_ = 0;
    std::uint64_t used_ = 0, pause_at_ = ~0ull;
    bool spent_ = false;
};

}  // namespace noughts
