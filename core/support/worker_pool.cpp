#include "support/worker_pool.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "support/machine.hpp"
#include "support/process.hpp"

namespace noughts {
namespace {

// Short jobs follow each other closely, and waking a sleeping thread takes longer than many of them. So a waiting
// thread looks for work for this long before it sleeps, at first without giving up its processor.
constexpr auto PATIENCE = std::chrono::microseconds(200);
constexpr int EAGER_LOOKS = 300;
constexpr int LOOKS_PER_CLOCK = 16;
constexpr int PARTS_BITS = 16;
constexpr std::uint64_t MAX_PARTS = (1 << PARTS_BITS) - 1;
constexpr std::size_t CACHE_LINE = 64;

template <typename Condition>
bool comes_true_soon(const Condition& condition, bool is_eager) {
    for (int i = 0; is_eager && i < EAGER_LOOKS; ++i) {
        if (condition()) return true;
        pause_processor();
    }
    const auto end = std::chrono::steady_clock::now() + PATIENCE;
    do {
        for (int i = 0; i < LOOKS_PER_CLOCK; ++i) {
            if (condition()) return true;
            std::this_thread::yield();
        }
    } while (std::chrono::steady_clock::now() < end);
    return false;
}

}  // namespace

class WorkerPool::Workers {
  public:
    // Throws std::system_error if a thread cannot be started; threads started before it are stopped first.
    explicit Workers(int count) : is_eager_(count < static_cast<int>(std::thread::hardware_concurrency())) {
        threads_.reserve(static_cast<std::size_t>(count));
        try {
            for (int number = 1; number <= count; ++number)
                threads_.emplace_back([this, number] { serve(static_cast<std::uint64_t>(number)); });
        } catch (const std::system_error& error) {
            stop();
            throw std::system_error(error.code(), "cannot start " + std::to_string(count) + " threads");
        }
    }
    ~Workers() { stop(); }
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    // Threads do not survive a fork.
    bool is_alive() const { return forks() == forks_; }

    void run(int count, int parts, const Work& work) {
        job_ = {count, parts, &work};
        left_.store(parts - 1, std::memory_order_relaxed);
        round_.store(((round_.load() >> PARTS_BITS) + 1) << PARTS_BITS | static_cast<std::uint64_t>(parts));
        if (sleepers_.load() > 0) {
            {
                const std::lock_guard lock(mutex_);
            }  // a thread that is about to sleep sees the round or is notified
            begun_.notify_all();
        }
        job_.run(0);
        const auto is_done = [this] { return left_.load(std::memory_order_acquire) == 0; };
        if (comes_true_soon(is_done, is_eager_)) return;
        std::unique_lock lock(mutex_);
        ended_.wait(lock, is_done);
    }

    // For the child of a fork: forgets the threads, which do not exist there.
    void abandon() {
        for (auto& thread : threads_) thread.detach();
        threads_.clear();
    }

  private:
    struct Job {
        int count = 0, parts = 0;
        const Work* work = nullptr;

        int start_of(int part) const { return static_cast<int>(static_cast<std::int64_t>(count) * part / parts); }
        void run(int part) const { (*work)(start_of(part), start_of(part + 1)); }
    };

    // A thread without a part in a round reads only the round: the job may be that of a later one already.
    void serve(std::uint64_t number) {
        std::uint64_t round = 0;
        const auto is_called = [&] { return round_.load() != round; };
        for (;;) {
            if (!comes_true_soon(is_called, is_eager_)) sleep_until(is_called);
            if (is_stopped_) return;
            round = round_.load();
            if (number >= (round & MAX_PARTS)) continue;
            job_.run(static_cast<int>(number));
            if (left_.fetch_sub(1, std::memory_order_acq_rel) > 1) continue;
            const std::lock_guard lock(mutex_);  // the caller may be about to sleep
            ended_.notify_one();
        }
    }

    template <typename Condition>
    void sleep_until(const Condition& condition) {
        std::unique_lock lock(mutex_);
        ++sleepers_;
        begun_.wait(lock, condition);
        --sleepers_;
    }

    void stop() {
        {
            const std::lock_guard lock(mutex_);
            is_stopped_ = true;
            round_.fetch_add(1 << PARTS_BITS);
        }
        begun_.notify_all();
        for (auto& thread : threads_) thread.join();
        threads_.clear();
    }

    std::mutex mutex_;
    std::condition_variable begun_, ended_;
    Job job_;
    // On cache lines of their own: threads write the second while others wait for the first to change.
    alignas(CACHE_LINE) std::atomic<std::uint64_t> round_ = 0;  // its number and, in the lowest bits, its parts
    alignas(CACHE_LINE) std::atomic<int> left_ = 0;             // parts that other threads have not finished
    alignas(CACHE_LINE) std::atomic<int> sleepers_ = 0;
    std::atomic<bool> is_stopped_ = false;
    // Waiting without giving up the processor is faster, but harmful if the threads outnumber the processors.
    const bool is_eager_;
    int forks_ = forks();
    std::vector<std::thread> threads_;
};

namespace {

// Releases a pool without freeing it: its locks may be held by threads that did not survive a fork, so its memory must
// not be used again.
template <typename Workers>
void leave_behind(std::unique_ptr<Workers>& workers) {
    if (!workers || workers->is_alive()) return;
    workers->abandon();
    static_cast<void>(workers.release());
}

}  // namespace

WorkerPool::WorkerPool(int threads) : threads_(threads) {}
WorkerPool::~WorkerPool() { leave_behind(workers_); }

void WorkerPool::run(int count, int smallest, const Work& work) {
    const int parts = std::clamp(count / std::max(1, smallest), 1, threads_);
    if (parts == 1) {
        work(0, count);
        return;
    }
    leave_behind(workers_);
    if (!workers_) workers_ = std::make_unique<Workers>(threads_ - 1);
    workers_->run(count, parts, work);
}

}  // namespace noughts
