#include "support/meter.hpp"

#include <algorithm>
#include <utility>

namespace noughts {

Meter::Meter(double seconds, std::uint64_t nodes, Interrupt interrupt, std::function<void()> progress)
    : limit_(nodes > 0 ? nodes : UNLIMITED),
      seconds_(seconds),
      interrupt_(std::move(interrupt)),
      progress_(std::move(progress)) {
    next_check_ = std::min(next_check_, limit_);
}

double Meter::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

void Meter::set_share(std::uint64_t nodes) {
    share_end_ = nodes > UNLIMITED - nodes_ ? UNLIMITED : nodes_ + nodes;
    next_check_ = std::min({nodes_ + CHECK_EVERY, limit_, share_end_});
}

void Meter::check() {
    if (nodes_ >= limit_) throw Ended{true};
    if (nodes_ >= share_end_) throw Ended{false};
    next_check_ = std::min({nodes_ + CHECK_EVERY, limit_, share_end_});
    const auto now = Clock::now();
    if (seconds_ > 0 && now - start_ >= std::chrono::duration<double>(seconds_)) throw Ended{true};
    if (interrupt_ && now - asked_ >= ASK_EVERY) {
        asked_ = now;
        if (interrupt_()) throw Ended{true};
    }
    if (progress_ && now - reported_ >= REPORT_EVERY) {
        reported_ = now;
        progress_();
    }
}

}  // namespace noughts
