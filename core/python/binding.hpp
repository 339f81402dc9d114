// Common to all parts of the Python module: the interpreter lock, and calls into the core.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <exception>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "boundary/checks.hpp"
#include "rules/position.hpp"
#include "rules/symmetry.hpp"
#include "support/process.hpp"
#include "support/work_limit.hpp"

namespace noughts::python {

namespace nb = nanobind;
using namespace nb::literals;
using namespace boundary;

void bind_envs(nb::module_& m);
void bind_game(nb::module_& m);
void bind_mcts(nb::module_& m);
void bind_search(nb::module_& m);
void bind_solve(nb::module_& m);
void bind_train(nb::module_& m);

// --- the interpreter lock -----------------------------------------------------------------------------------------

// Releases the interpreter lock while the core works. During that time no Python object may be used, including
// positions.
class GilRelease {
  public:
    GilRelease();
    ~GilRelease();
    GilRelease(const GilRelease&) = delete;
    GilRelease& operator=(const GilRelease&) = delete;
    [[noreturn]] void hang();  // never returns to an interpreter that is shutting down

  private:
    std::optional<RunningCall> call_;  // until the interpreter lock is acquired again
    PyThreadState* state_;
};

// Acquires the interpreter lock for a moment within a GilRelease.
class GilAcquire {
    struct Check {
        Check();
    } check_;
    nb::gil_scoped_acquire acquire_;
};

// --- calls into the core ------------------------------------------------------------------------------------------

// A call into the core without the interpreter lock. Callbacks and signal checks acquire the lock for a moment; an
// exception from either ends the work, and is raised after that.
class Call {
  public:
    explicit Call(const nb::object* watch = nullptr) : watch_(watch) {}

    // Whether the work must end: Python is shutting down, a signal such as Ctrl-C has arrived, or `watch()` raised.
    Interrupt interrupt() {
        return [this] { return must_end(); };
    }

    // Wraps a Python progress callback: the result is false, which ends the work, if the callback returns False or
    // raises.
    template <typename Found>
    std::function<bool(const Found&)> report_to(const nb::object& progress) {
        if (progress.is_none()) return {};
        return [this, &progress](const Found& found) { return ask([&] { return !progress(found).is(Py_False); }); };
    }

    // Asks Python a question while the core works: returns the result of `question()`, or false if it raises.
    template <typename Question>
    bool ask(Question&& question) {
        const GilAcquire acquired;
        return survives(std::forward<Question>(question));
    }

    // Returns the result of `work()`. Work that has no result when it is interrupted throws Interrupted; if a progress
    // callback ended it, that becomes a RuntimeError.
    template <typename Work>
    auto run(Work&& work) {
        std::optional<decltype(work())> result;
        {
            GilRelease released;
            try {
                result = work();
            } catch (const Interrupted&) {
                if (!raised_ && is_shutting_down()) released.hang();
            }
        }
        if (raised_) std::rethrow_exception(raised_);
        if (!result) throw std::runtime_error("stopped before there was a result");
        return std::move(*result);
    }

  private:
    bool must_end();
    // The result of `ask()`, or false if it raises; the exception is kept.
    template <typename Ask>
    bool survives(Ask&& ask) {
        try {
            return ask();
        } catch (...) {
            raised_ = std::current_exception();
            return false;
        }
    }

    const nb::object* watch_;
    std::exception_ptr raised_;
};

// Allows only one thread at a time to use an object of the core.
class InUse {
  public:
    class Lock {
      public:
        Lock(InUse& in_use, const char* what) : in_use_(in_use) {
            if (in_use_.taken_.exchange(true))
                throw std::runtime_error(std::string("this ") + what + " is in use by another thread");
        }
        ~Lock() { in_use_.taken_.store(false); }
        Lock(const Lock&) = delete;
        Lock& operator=(const Lock&) = delete;

      private:
        InUse& in_use_;
    };

  private:
    std::atomic<bool> taken_{false};
};

// --- objects ------------------------------------------------------------------------------------------------------

nb::object side_object(Side side);  // noughts.games.Side.X or .O, or None

}  // namespace noughts::python
