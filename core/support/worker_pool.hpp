// Threads that divide the work on a range of numbers. They wait between calls, so that a call costs only microseconds.
#pragma once

#include <functional>
#include <memory>

namespace noughts {

class WorkerPool {
  public:
    // Works on the numbers from `begin` to `end` - 1. Must not throw.
    using Work = std::function<void(int begin, int end)>;

    explicit WorkerPool(int threads);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    int threads() const { return threads_; }

    // Calls `work` for parts of the range from 0 to `count` - 1, each number once, and returns when all are done. Parts
    // have at least `smallest` numbers. The calling thread works too; other threads are started when they are first
    // needed. Throws std::system_error if a thread cannot be started. Only one call at a time is allowed.
    void run(int count, int smallest, const Work& work);

  private:
    class Workers;

    int threads_;
    std::unique_ptr<Workers> workers_;
};

}  // namespace noughts
