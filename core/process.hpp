// What the core must know of the process it runs in: that it forks, and that it ends while a thread is at work.
#pragma once

#include <chrono>

namespace noughts {

// A call into the core that leaves the interpreter to other threads. Counted from construction to the moment its thread
// holds the interpreter again, so that the end of the process can wait for it.
class RunningCall {
   public:
    RunningCall();
    ~RunningCall();
    RunningCall(const RunningCall&) = delete;
    RunningCall& operator=(const RunningCall&) = delete;
};

// Whether the process is about to end and this thread should end its work; never for the thread that ends the process.
bool must_wind_up();

// Asks all calls to end, and waits for those of other threads, but not for longer than `patience`.
void wind_up(std::chrono::milliseconds patience);

// How many forks lie between this process and the one that loaded the core: threads, and locks they held, do not survive
// a fork.
int forks();

// To be called once, when the core is loaded.
void watch_forks();

}  // namespace noughts
