#include "support/helper_threads.hpp"

#include <string>
#include <system_error>
#include <utility>

#include "support/process.hpp"

namespace noughts {

HelperThreads::HelperThreads(int count, Work work) : work_(std::move(work)), failures_(count + 1), forks_(forks()) {
    threads_.reserve(count);
    try {
        for (int number = 1; number <= count; ++number) threads_.emplace_back([this, number] { run(number); });
    } catch (const std::system_error& error) {
        stop();
        throw std::system_error(error.code(), "cannot start " + std::to_string(count + 1) + " threads");
    }
}

void HelperThreads::run(int number) {
    try {
        work_.run(number);
    } catch (...) {
        failures_[number] = std::current_exception();
        work_.stop();
    }
}

void HelperThreads::stop() {
    work_.stop();
    const bool are_lost = forks() != forks_;
    for (Thread& thread : threads_) are_lost ? thread.detach() : thread.join();
    if (are_lost && !threads_.empty()) {
        failures_.clear();
        work_.abandon();
    }
    threads_.clear();
}

void HelperThreads::finish() {
    stop();
    for (const auto& failure : failures_)
        if (failure) std::rethrow_exception(failure);
}

}  // namespace noughts
