// The two ways a check fails: the file is not a valid proof, or it cannot be checked here.
#pragma once

#include <stdexcept>
#include <string>

namespace checker {

// The file is not a valid proof; the message says where and why. Exit code 1.
struct Rejection : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The file could not be read, or its check needs more memory than allowed. Exit code 2.
struct CannotCheck : std::runtime_error {
    using std::runtime_error::runtime_error;
};

[[noreturn, gnu::cold, gnu::noinline]] inline void reject(const char* expected) {
    throw Rejection(std::string("expected ") + expected);
}

inline void expect(bool holds, const char* expected) {
    if (!holds) [[unlikely]]
        reject(expected);
}

}  // namespace checker
