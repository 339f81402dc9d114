#include "support/worker_pool.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "support/process.hpp"

namespace noughts {
namespace {

// Short jobs follow each other closely, and waking a sleeping thread takes longer than many of them. So a waiting
// thread checks this many times for work before it sleeps.
constexpr int LOOKS = 100;

template <typename Condition>
bool comes_true_soon(const Condition& condition) {
    for (int i = 0; i < LOOKS; ++i) {
        if (condition()) return true;
        std::this_thread::yield();
    }
    return false;
}

}  // namespace

class WorkerPool::Workers {
  public:
    // Throws std::system_error if a thread cannot be started; threads started before it are stopped first.
    explicit Workers(int count) {
        threads_.reserve(static_cast<std::size_t>(count));
        try {
            for (int number = 1; number <= count; ++number) threads_.emplace_back([this, number] { serve(number); });
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
        {
            const std::lock_guard lock(mutex_);
            job_ = {count, parts, &work};
            busy_ = parts - 1;
            ++round_;
        }
        begun_.notify_all();
        job_.run(0);
        const auto is_done = [this] { return busy_ == 0; };
        if (comes_true_soon(is_done)) return;
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

    void serve(int number) {
        std::uint64_t round = 0;
        const auto is_called = [&] { return is_stopped_ || round_ != round; };
        for (;;) {
            comes_true_soon(is_called);
            std::unique_lock lock(mutex_);
            begun_.wait(lock, is_called);
            if (is_stopped_) return;
            round = round_;
            if (number >= job_.parts) continue;
            const Job job = job_;
            lock.unlock();
            job.run(number);
            if (--busy_ > 0) continue;
            lock.lock();  // the caller may be about to sleep
            ended_.notify_one();
        }
    }

    void stop() {
        {
            const std::lock_guard lock(mutex_);
            is_stopped_ = true;
        }
        begun_.notify_all();
        for (auto& thread : threads_) thread.join();
        threads_.clear();
    }

    std::mutex mutex_;
    std::condition_variable begun_, ended_;
    Job job_;
    std::atomic<std::uint64_t> round_ = 0;
    std::atomic<int> busy_ = 0;  // workers that have not finished their part
    std::atomic<bool> is_stopped_ = false;
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
