// Threads that share out the work on a range of numbers. They wait between calls, so that a call costs microseconds.
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

    // Calls `work` for parts of the numbers from 0 to `count` - 1, each number once, and returns when all are done.
    // Parts have at least `smallest` numbers. The calling thread takes a part too; the others are started when they are
    // first needed. Throws std::system_error when a thread cannot be started. One call at a time.
    void run(int count, int smallest, const Work& work);

  private:
    class Workers;

    int threads_;
    std::unique_ptr<Workers> workers_;
};

}  // namespace noughts
