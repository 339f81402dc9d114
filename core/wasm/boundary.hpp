// Calls between JavaScript and the core. site/core.js is the other side.
//
// Numbers are passed as arguments and results, objects as handles, which are their addresses. Lists and bytes cross in
// two buffers of 32-bit words: JavaScript fills the input before a call and reads the output after it. A list is its
// length and its items, bytes are their number and the bytes, padded to whole words. JavaScript checks the types of
// arguments and passes only handles of living objects; everything else is checked here (boundary/checks.hpp).
//
// A call that fails leaves an error, which JavaScript asks for after every call, and returns 0.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "boundary/answers.hpp"
#include "support/work_limit.hpp"

#define NOUGHTS_EXPORT(name) extern "C" __attribute__((export_name(#name)))
#define NOUGHTS_IMPORT(name) extern "C" __attribute__((import_module("noughts"), import_name(#name)))

namespace noughts::wasm {

using namespace boundary;

// Handles of games and symmetries point to these, since other objects may own the game or the symmetry too.
using SharedGame = std::shared_ptr<const Game>;
using SharedSymmetry = std::shared_ptr<const Symmetry>;

// --- the buffers --------------------------------------------------------------------------------------------------

// Reads the input buffer. site/core.js never writes less than a call reads.
class Input {
  public:
    Input();
    std::int32_t number() { return words_[at_++]; }
    std::vector<int> list();
    std::vector<std::vector<int>> lists();
    std::vector<std::uint8_t> bytes();
    NetworkChoice network();  // 0, or 1 followed by bytes

  private:
    std::span<const std::int32_t> words_;
    std::size_t at_ = 0;
};

// Writes the output buffer, which is cleared first.
class Output {
  public:
    Output();
    void number(std::int32_t value);
    void real(double value);
    void bytes(std::string_view bytes);
    template <typename List>
    void list(const List& list) {
        number(static_cast<std::int32_t>(list.size()));
        for (const auto item : list) number(item);
    }
    template <typename Lists>
    void lists(const Lists& lists) {
        number(static_cast<std::int32_t>(lists.size()));
        for (const auto& each : lists) list(each);
    }
};

// --- errors -------------------------------------------------------------------------------------------------------

// The kinds of exceptions that Python raises for the same errors.
enum class ErrorKind : std::int32_t { NONE, VALUE, RUNTIME, MEMORY, SYSTEM, INTERRUPTED };

void set_error(ErrorKind kind, const char* message);

// Returns the result of `work()`. An exception becomes the error of the call.
template <typename Work>
auto call(Work&& work) -> decltype(work()) {
    try {
        return work();
    } catch (const std::invalid_argument& error) {
        set_error(ErrorKind::VALUE, error.what());
    } catch (const std::bad_alloc&) {
        set_error(ErrorKind::MEMORY, "out of memory");
    } catch (const std::system_error& error) {
        set_error(ErrorKind::SYSTEM, error.what());
    } catch (const Interrupted&) {
        set_error(ErrorKind::INTERRUPTED, "interrupted");
    } catch (const std::exception& error) {
        set_error(ErrorKind::RUNTIME, error.what());
    }
    return decltype(work())();
}

// --- callbacks ----------------------------------------------------------------------------------------------------

// Whether JavaScript wants the work to end; polled every few milliseconds.
Interrupt interrupt();

// Passes the output to the progress callback of the running call; returns false to end the work.
bool report_output();

// Limits on nodes are passed as floating-point numbers, which are exact up to 2^53.
std::uint64_t checked_nodes(double nodes);

}  // namespace noughts::wasm
