// Threads and locks, on platforms that have them. WebAssembly without shared memory does not: there, starting a thread
// fails as on a system that has run out of threads, and locks do nothing.
#pragma once

#ifdef __wasm__
#include <system_error>
#else
#include <mutex>
#include <thread>
#endif

namespace noughts {

#ifdef __wasm__
class Thread {
  public:
    template <typename Work>
    explicit Thread(Work&&) {
        throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
    }
    void join() {}
    void detach() {}
};

struct Mutex {
    void lock() {}
    void unlock() {}
};
#else
using Thread = std::thread;
using Mutex = std::mutex;
#endif

}  // namespace noughts
