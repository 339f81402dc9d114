#include "support/work_limit.hpp"

#include <algorithm>
#include <utility>

namespace noughts {
namespace {

constexpr std::uint64_t NODES_PER_CHECK = 128;            // less than a millisecond, on the largest boards too
constexpr std::chrono::milliseconds INTERRUPT_PERIOD{4};  // asking may mean waiting for another thread

}  // namespace

WorkLimit::WorkLimit(const Limits& limits, Interrupt interrupt, Report report, const std::atomic<bool>* stop)
    : seconds_(limits.seconds),
      report_seconds_(limits.report_seconds),
      node_limit_(limits.nodes > 0 ? limits.nodes : UNLIMITED),
      interrupt_(std::move(interrupt)),
      report_(std::move(report)),
      stop_(stop) {}

void WorkLimit::set_share(std::uint64_t nodes) {
    share_end_ = nodes > UNLIMITED - this->nodes() ? UNLIMITED : this->nodes() + nodes;
    must_end_ = is_spent_;
    is_finished_.store(false, std::memory_order_relaxed);
    next_check_ = std::min({this->nodes() + NODES_PER_CHECK, node_limit_, share_end_});
}

void WorkLimit::check() {
    if (is_spent_) return;
    const std::uint64_t now = nodes();
    next_check_ = std::min({now + NODES_PER_CHECK, node_limit_, share_end_});
    if (now >= node_limit_ || (stop_ && stop_->load(std::memory_order_relaxed))) return end();
    if (leader_) return check_with_leader(now);
    if (now >= share_end_ || is_finished_.load(std::memory_order_relaxed)) must_end_ = true;
    if (seconds_ > 0 || interrupt_ || report_) ask(Clock::now());
}

void WorkLimit::check_with_leader(std::uint64_t nodes) {
    leader_->helped_.fetch_add(nodes - reported_nodes_, std::memory_order_relaxed);
    reported_nodes_ = nodes;
    // The leader may be waiting for a processor, so the helpers watch its limit as well.
    if (leader_->is_finished_.load(std::memory_order_relaxed) || leader_->nodes() >= leader_->node_limit_) end();
}

void WorkLimit::ask(Clock::time_point now) {
    if (seconds_ > 0 && now - start_ >= std::chrono::duration<double>(seconds_)) return end();
    if (interrupt_ && now - asked_ >= INTERRUPT_PERIOD) {
        asked_ = now;
        if (interrupt_()) return end();
    }
    if (report_ && now - reported_ >= std::chrono::duration<double>(report_seconds_)) {
        reported_ = now;
        if (!report_(*this)) end();
    }
}

}  // namespace noughts
