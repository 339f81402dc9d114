// The verdict on a proof as a line of text.
#pragma once

#include <new>
#include <string>

#include "check.hpp"

namespace checker {

enum class Result { HOLDS, FAILS, UNKNOWN };

struct Verdict {
    Result result;
    std::string text;  // the value and the work done, or the place where the proof fails
};

// Checks the file that `read()` returns.
template <class Read>
Verdict verdict_on(Read read) {
    try {
        const Report report = check_proof(read());
        return {Result::HOLDS, std::string(VALUE_NAMES[static_cast<int>(report.value)]) + ", " +
                                   std::to_string(report.nodes) + " nodes, " + std::to_string(report.positions) +
                                   " positions"};
    } catch (const Rejection& reason) {
        return {Result::FAILS, std::string("not a proof: ") + reason.what()};
    } catch (const CannotCheck& reason) {
        return {Result::UNKNOWN, std::string("not checked: ") + reason.what()};
    } catch (const std::bad_alloc&) {
        return {Result::UNKNOWN, "not checked: out of memory"};
    }
}

}  // namespace checker
