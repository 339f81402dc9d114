// The bound on work that every search uses: how long it may run, and how it is stopped.
//
// All searches poll: each node calls `must_end()`. If that is true, the search returns at once, and its caller ignores
// the result. Exceptions would not be faster (each node needs the same check; the flag is read a second time only where
// a result is about to be stored), and they would not work everywhere: on the way out, proof-number search stores the
// numbers of all nodes on its path, and the playing search takes its moves back.
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
    double report_seconds = 0.25;  // time between two reports; not a limit
    bool count_chains = true;      // whether moves of chains of threats are nodes; only for the playing search
};

// Called every few milliseconds by the working thread; returns true to end the work.
using Interrupt = std::function<bool()>;

// Thrown when work is interrupted in a function that then has no result to return.
struct Interrupted {};

// Counts nodes and decides when work ends. Only one thread works with a WorkLimit; other threads may read `nodes()`.
// Threads that help with the same work have their own limits, which refer to this one.
class WorkLimit {
  public:
    // Called every `report_seconds`; false ends the work.
    using Report = std::function<bool(const WorkLimit&)>;
    static constexpr std::uint64_t UNLIMITED = std::numeric_limits<std::uint64_t>::max();

    // `stop`, if not null, ends the work once it is true. Other threads may set it; it must outlive this object.
    explicit WorkLimit(const Limits& limits = {}, Interrupt interrupt = {}, Report report = {},
                       const std::atomic<bool>* stop = nullptr);
    // For a thread that helps with the work of `leader`, which must outlive this object: the nodes count there.
    explicit WorkLimit(WorkLimit& leader) : WorkLimit() { leader_ = &leader; }

    void count_node() { count_nodes(1); }
    void count_nodes(std::uint64_t nodes) {
        nodes_.store(nodes_.load(std::memory_order_relaxed) + nodes, std::memory_order_relaxed);
    }
    // Counts the moves of a chain of threats, unless the limits leave them out.
    void count_chain(std::uint64_t nodes) {
        if (count_chains_) count_nodes(nodes);
    }
    // Whether the work must end or pause. Cheap: looks at the clock only once in many nodes, unless nodes are slow.
    bool must_end() {
        if (nodes() >= next_check_) [[unlikely]]
            check();
        return must_end_;
    }
    // Like must_end, but always looks at the clock: for nodes that take long.
    bool poll() {
        check();
        return must_end_;
    }
    // The result of the last must_end or poll. If it is true, results found since then are meaningless.
    bool is_ended() const { return must_end_; }
    // Whether the work ended for good, by a limit or a stop, and did not just pause.
    bool is_spent() const { return is_spent_; }
    void end() { must_end_ = is_spent_ = true; }

    // Lowers the time limit, which must be set, to at most this many seconds after the start.
    void shorten(double seconds) { seconds_ = std::min(seconds_, seconds); }

    // Makes the work pause after `nodes` more nodes. The pause ends when the next share is set.
    void set_share(std::uint64_t nodes);

    // Declares the work of the leader and its helpers done: the leader pauses, and the helpers end. Any of them may
    // call this.
    void finish() { (leader_ ? leader_ : this)->is_finished_.store(true, std::memory_order_relaxed); }

    // The nodes of this thread and its helpers.
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

    // The members that every node uses come first.
    std::atomic<std::uint64_t> nodes_{0};
    std::atomic<std::uint64_t> helped_{0};  // nodes of the helpers
    std::uint64_t next_check_ = 0;
    bool must_end_ = false, is_spent_ = false, count_chains_;

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
