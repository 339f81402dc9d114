// The process in which the core runs: it may fork, and it may end while threads are working.
#pragma once

#include <chrono>

namespace noughts {

// A call into the core that has released the interpreter lock. Such calls are counted until their threads hold the lock
// again, so that the process can wait for them before it ends.
class RunningCall {
  public:
    RunningCall();
    ~RunningCall();
    RunningCall(const RunningCall&) = delete;
    RunningCall& operator=(const RunningCall&) = delete;
};

// Whether the process is about to end and this thread should stop working. Always false in the thread that ends the
// process.
bool is_shutting_down();

// Asks all calls to end, and waits at most `timeout` for those of other threads.
void shut_down(std::chrono::milliseconds timeout);

// The number of forks between the process that loaded the core and this one. Threads do not survive a fork, and locks
// that they held are never released.
int forks();

// Must be called once, when the core is loaded.
void watch_forks();

// Calls `lock` before every fork and `unlock` after it, in both processes, so that the child finds the data that the
// lock protects in a consistent state.
void lock_during_forks(void (*lock)(), void (*unlock)());

}  // namespace noughts
