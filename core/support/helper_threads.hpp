// Threads that help the calling one with its work until it ends.
#pragma once

#include <exception>
#include <functional>
#include <vector>

#include "support/thread.hpp"

namespace noughts {

// Started on construction, stopped and joined on destruction at the latest.
class HelperThreads {
  public:
    struct Work {
        std::function<void(int number)> run;  // of the thread with this number, from 1
        std::function<void()> stop;           // makes all `run` return soon; called by any of the threads, repeatedly
        // In the child of a fork the threads do not exist. What they worked with is in an unknown state and must not be
        // used again, not even to free it: it must be released here.
        std::function<void()> abandon;
    };

    // Throws std::system_error when a thread cannot be started; those that were are stopped first.
    HelperThreads(int count, Work work);
    ~HelperThreads() { stop(); }
    HelperThreads(const HelperThreads&) = delete;
    HelperThreads& operator=(const HelperThreads&) = delete;

    // Stops all threads, and rethrows an exception that one of them threw.
    void finish();

  private:
    void run(int number);
    void stop();

    Work work_;
    std::vector<std::exception_ptr> failures_;  // by number
    std::vector<Thread> threads_;
    int forks_;
};

}  // namespace noughts
