// How a check fails, and a cursor that reads text from left to right.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

// The file is not a valid proof; the message says where and why.
struct Rejection : std::runtime_error {
    using std::runtime_error::runtime_error;
};

[[noreturn, gnu::cold, gnu::noinline]] inline void reject(const char* expected) {
    throw Rejection(std::string("expected ") + expected);
}

inline void expect(bool holds, const char* expected) {
    if (!holds) [[unlikely]]
        reject(expected);
}

inline bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

class Cursor {
  public:
    explicit Cursor(std::string_view text) : text_(text) {}

    bool is_at_end() const { return at_ == text_.size(); }
    char peek() const { return is_at_end() ? '\0' : text_[at_]; }
    std::size_t place() const { return at_; }
    std::string_view text_since(std::size_t place) const { return text_.substr(place, at_ - place); }

    char next() {
        expect(!is_at_end(), "more text");
        return text_[at_++];
    }
    bool accept(char letter) {
        const bool found = peek() == letter;
        at_ += found;
        return found;
    }
    bool accept(std::string_view word) {
        const bool found = text_.substr(at_).starts_with(word);
        at_ += found ? word.size() : 0;
        return found;
    }
    void require(char letter) { expect(accept(letter), "text as docs/proof-format.md describes it"); }
    void finish() const { expect(is_at_end(), "text as docs/proof-format.md describes it"); }

    std::size_t skip_digits() {
        const std::size_t start = at_;
        while (is_digit(peek())) ++at_;
        return at_ - start;
    }
    int number(std::size_t most_digits = 9) {
        const std::size_t start = at_;
        std::uint64_t value = 0;  // wrong if there are too many digits
        for (; is_digit(peek()); ++at_) value = 10 * value + static_cast<std::uint64_t>(peek() - '0');
        expect(at_ > start && at_ - start <= most_digits, "a number that is not too long");
        return static_cast<int>(value);
    }
    // The node that a reference of a node names.
    std::uint32_t reference(std::uint32_t node) {
        const bool is_relative = accept('+');
        return static_cast<std::uint32_t>(number()) + (is_relative ? node : 0);
    }
    int positive_number() {
        expect(peek() != '0', "a number from 1 without leading zeros");
        return number();
    }

  private:
    std::string_view text_;
    std::size_t at_ = 0;
};
