#include "support/process.hpp"

#include <atomic>
#include <thread>

#ifndef _WIN32
#include <pthread.h>
#endif

namespace noughts {
namespace {

std::atomic<int> running{0};
std::atomic<bool> shutting_down{false};
std::atomic<int> fork_count{0};
thread_local int own_calls = 0;
thread_local bool ends_process = false;

// In the child, only the thread that forked exists.
[[maybe_unused]] void begin_child() {
    running.store(own_calls);
    fork_count.fetch_add(1);
}

}  // namespace

RunningCall::RunningCall() {
    running.fetch_add(1);
    ++own_calls;
}

RunningCall::~RunningCall() {
    --own_calls;
    running.fetch_sub(1);
}

bool is_shutting_down() { return shutting_down.load(std::memory_order_relaxed) && !ends_process; }

void shut_down(std::chrono::milliseconds timeout) {
    ends_process = true;
    shutting_down.store(true);
    const auto end = std::chrono::steady_clock::now() + timeout;
    while (running.load() > own_calls && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

int forks() { return fork_count.load(std::memory_order_relaxed); }

void watch_forks() {
#ifndef _WIN32
    static const int failed = pthread_atfork(nullptr, nullptr, begin_child);
    static_cast<void>(failed);
#endif
}

void lock_during_forks([[maybe_unused]] void (*lock)(), [[maybe_unused]] void (*unlock)()) {
#ifndef _WIN32
    pthread_atfork(lock, unlock, unlock);
#endif
}

}  // namespace noughts
