// The bound on work, used by every search: how long it may run, and how it is stopped.
//
// All searches poll: each node asks `must_end()`, a search that must end returns at once, and its caller ignores the
// result. The alternative, an exception, would be no faster (the check in every node is the same, and the flag is read
// once more only where a result is about to be stored) and cannot be used everywhere: proof-number search writes the
// numbers of all nodes on its path to the table on the way out, and the playing search has moves to take back.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>

namespace noughts {

// Limits given by the caller; 0 means unlimited.
struct Limits {
    double seconds = 0;
    std::uint64_t nodes = 0;
    int depth = 0;                 // plies; only for the playing search
    double report_seconds = 0.25;  // between two reports; this one is not a limit
};

// Asked every few milliseconds by the thread that does the work; true ends the work.
using Interrupt = std::function<bool()>;

// Thrown by functions that have no result to return when they are interrupted.
struct Interrupted {};

// Counts nodes and decides when work ends. One thread works with it; others may read `nodes()`. Other threads that help
// with the same work have limits of their own, which lead back to this one.
class WorkLimit {
  public:
    // Called every `report_seconds`; false ends the work.
    using Report = std::function<bool(const WorkLimit&)>;
    static constexpr std::uint64_t UNLIMITED = std::numeric_limits<std::uint64_t>::max();

    // `stop`, if given, ends the work once it is true; it may be set by other threads, and must outlive this.
    explicit WorkLimit(const Limits& limits = {}, Interrupt interrupt = {}, Report report = {},
                       const std::atomic<bool>* stop = nullptr);
    // For a thread that helps with the work of another one, whose limit must outlive this: its nodes count there.
    explicit WorkLimit(WorkLimit& leader) : WorkLimit() { leader_ = &leader; }

    void count_node() { count_nodes(1); }
    void count_nodes(std::uint64_t nodes) {
        nodes_.store(nodes_.load(std::memory_order_relaxed) + nodes, std::memory_order_relaxed);
    }
    // Whether the work must end or pause. Cheap: looks at the clock once in many nodes, as far as they are quick.
    bool must_end() {
        if (nodes() >= next_check_) [[unlikely]]
            check();
        return must_end_;
    }
    // The same, with a look at the clock each time: for nodes that take long.
    bool poll() {
        check();
        return must_end_;
    }
    // The answer of the last of these calls. If it is true, results found since then are meaningless.
    bool is_ended() const { return must_end_; }
    // Whether the work ended for good, and not only paused: a limit was reached, or it was stopped.
    bool is_spent() const { return is_spent_; }
    void end() { must_end_ = is_spent_ = true; }

    // Makes the time limit, which there must be, end the work no later than this many seconds after its start.
    void shorten(double seconds) { seconds_ = std::min(seconds_, seconds); }

    // Lets the work pause after `nodes` more; a pause ends when the next share is set.
    void set_share(std::uint64_t nodes);

    // The work of the leader and its helpers is done: the leader pauses, and the helpers end. Any of them may call
    // this.
    void finish() { (leader_ ? leader_ : this)->is_finished_.store(true, std::memory_order_relaxed); }

    // With those of the helpers.
    std::uint64_t nodes() const {
        return nodes_.load(std::memory_order_relaxed) + helped_.load(std::memory_order_relaxed);
    }
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  private:
    using Clock = std::chrono::steady_clock;

    void check();
    void measure_nodes(std::uint64_t nodes, Clock::time_point now);
    void check_with_leader(std::uint64_t nodes);
    void ask(Clock::time_point now);

    // First what every node touches.
    std::atomic<std::uint64_t> nodes_{0};
    std::atomic<std::uint64_t> helped_{0};  // nodes of the helpers
    std::uint64_t next_check_ = 0;
    bool must_end_ = false, is_spent_ = false;

    double seconds_, report_seconds_;
    std::uint64_t node_limit_, share_end_ = UNLIMITED;
    Interrupt interrupt_;
    Report report_;
    const std::atomic<bool>* stop_;
    std::atomic<bool> is_finished_{false};
    WorkLimit* leader_ = nullptr;
    std::uint64_t reported_nodes_ = 0;  // to the leader
    std::uint64_t nodes_per_check_ = 1, checked_nodes_ = 0;
    Clock::time_point start_ = Clock::now(), asked_ = start_, reported_ = start_, checked_ = start_;
};

}  // namespace noughts
