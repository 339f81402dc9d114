#include "support/work_limit.hpp"

#include <algorithm>
#include <utility>

namespace noughts {
namespace {

constexpr std::uint64_t MOST_NODES_PER_CHECK = 128;
constexpr std::chrono::duration<double> CHECK_PERIOD{0.001};  // if nodes take longer than this, each is checked
constexpr std::chrono::milliseconds INTERRUPT_PERIOD{4};      // the interrupt may have to wait for another thread

}  // namespace

WorkLimit::WorkLimit(const Limits& limits, Interrupt interrupt, Report report, const std::atomic<bool>* stop)
    : count_chains_(limits.count_chains),
      seconds_(limits.seconds),
      report_seconds_(limits.report_seconds),
      node_limit_(limits.nodes > 0 ? limits.nodes : UNLIMITED),
      interrupt_(std::move(interrupt)),
      report_(std::move(report)),
      stop_(stop) {}

void WorkLimit::set_share(std::uint64_t nodes) {
    share_end_ = nodes > UNLIMITED - this->nodes() ? UNLIMITED : this->nodes() + nodes;
    must_end_ = is_spent_;
    is_finished_.store(false, std::memory_order_relaxed);
    next_check_ = std::min({this->nodes() + nodes_per_check_, node_limit_, share_end_});
}

void WorkLimit::check() {
    if (is_spent_) return;
    const std::uint64_t now = nodes();
    const auto time = Clock::now();
    measure_nodes(now, time);
    next_check_ = std::min({now + nodes_per_check_, node_limit_, share_end_});
    if (now >= node_limit_ || (stop_ && stop_->load(std::memory_order_relaxed))) return end();
    if (leader_) return check_with_leader(now);
    if (now >= share_end_ || is_finished_.load(std::memory_order_relaxed)) must_end_ = true;
    if (seconds_ > 0 || interrupt_ || report_) ask(time);
}

// Sets the number of nodes until the next check, from the time that the last nodes took.
void WorkLimit::measure_nodes(std::uint64_t nodes, Clock::time_point now) {
    if (nodes == checked_nodes_) return;
    const std::chrono::duration<double> per_node = (now - checked_) / static_cast<double>(nodes - checked_nodes_);
    nodes_per_check_ = per_node * MOST_NODES_PER_CHECK <= CHECK_PERIOD
                           ? MOST_NODES_PER_CHECK
                           : std::max<std::uint64_t>(1, static_cast<std::uint64_t>(CHECK_PERIOD / per_node));
    checked_nodes_ = nodes;
    checked_ = now;
}

void WorkLimit::check_with_leader(std::uint64_t nodes) {
    leader_->helped_.fetch_add(nodes - reported_nodes_, std::memory_order_relaxed);
    reported_nodes_ = nodes;
    // The helpers check the leader's limit as well, since the leader may be waiting for a processor.
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
