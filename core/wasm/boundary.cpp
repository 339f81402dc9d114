#include "wasm/boundary.hpp"

#include <bit>
#include <cmath>
#include <cstring>

NOUGHTS_IMPORT(interrupt) std::int32_t noughts_interrupt();
NOUGHTS_IMPORT(report) std::int32_t noughts_report();

namespace noughts::wasm {
namespace {

constexpr double MAX_NODES = 9007199254740992.0;  // 2^53

std::vector<std::int32_t> input, output;
ErrorKind error_kind = ErrorKind::NONE;
std::string error_message;

constexpr std::size_t words_for(std::size_t bytes) { return (bytes + 3) / 4; }

}  // namespace

Input::Input() : words_(input) {}

std::vector<int> Input::list() {
    const auto size = static_cast<std::size_t>(number());
    const auto items = words_.subspan(at_, size);
    at_ += size;
    return {items.begin(), items.end()};
}

std::vector<std::vector<int>> Input::lists() {
    std::vector<std::vector<int>> found(static_cast<std::size_t>(number()));
    for (auto& each : found) each = list();
    return found;
}

std::vector<std::uint8_t> Input::bytes() {
    std::vector<std::uint8_t> found(static_cast<std::size_t>(number()));
    std::memcpy(found.data(), words_.data() + at_, found.size());
    at_ += words_for(found.size());
    return found;
}

NetworkChoice Input::network() {
    if (number() == 0) return std::nullopt;
    return bytes();
}

Output::Output() { output.clear(); }

void Output::number(std::int32_t value) { output.push_back(value); }

void Output::real(double value) {
    for (const auto word : std::bit_cast<std::array<std::int32_t, 2>>(value)) number(word);
}

void Output::bytes(std::string_view bytes) {
    number(static_cast<std::int32_t>(bytes.size()));
    const std::size_t start = output.size();
    output.resize(start + words_for(bytes.size()));
    std::memcpy(output.data() + start, bytes.data(), bytes.size());
}

void set_error(ErrorKind kind, const char* message) {
    error_kind = kind;
    error_message = message;
}

Interrupt interrupt() {
    return [] { return noughts_interrupt() != 0; };
}

bool report_output() { return noughts_report() != 0; }

std::uint64_t checked_nodes(double nodes) {
    require(nodes >= 0 && nodes <= MAX_NODES && nodes == std::floor(nodes),
            "expected nodes as a whole number from 0 (no limit), got " + std::to_string(nodes));
    return static_cast<std::uint64_t>(nodes);
}

}  // namespace noughts::wasm

using namespace noughts::wasm;

// Returns the address of the input buffer, with room for `words` words.
NOUGHTS_EXPORT(prepare_input) std::int32_t* prepare_input(std::size_t words) {
    return call([words] {
        input.resize(words);
        return input.data();
    });
}

NOUGHTS_EXPORT(output_address) const std::int32_t* output_address() { return output.data(); }
NOUGHTS_EXPORT(output_words) std::size_t output_words() { return output.size(); }

// Returns the kind of error of the last call, 0 for none, and resets it.
NOUGHTS_EXPORT(take_error) std::int32_t take_error() {
    const auto kind = error_kind;
    error_kind = ErrorKind::NONE;
    return static_cast<std::int32_t>(kind);
}

NOUGHTS_EXPORT(error_address) const char* error_address() { return error_message.data(); }
NOUGHTS_EXPORT(error_bytes) std::size_t error_bytes() { return error_message.size(); }
