// Threads that help the calling thread until its work ends.
#pragma once

#include <exception>
#include <functional>
#include <vector>

#include "support/thread.hpp"

namespace noughts {

// The threads start in the constructor, and are stopped and joined in the destructor at the latest.
class HelperThreads {
  public:
    struct Work {
        std::function<void(int number)> run;  // the work of one thread, numbered from 1
        // Makes all `run` return soon; may be called by any of the threads, more than once.
        std::function<void()> stop;
        // Called in the child of a fork, where the threads do not exist. The objects that they worked with are in an
        // unknown state and must never be used again, not even freed: release them here.
        std::function<void()> abandon;
    };

    // Throws std::system_error if a thread cannot be started; threads started before it are stopped first.
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
