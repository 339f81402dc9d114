// JSON (RFC 8259) as a flat list of tokens, 16 bytes each, so that a hostile header stays small in memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "rejection.hpp"

namespace checker {

// The number of code points of a text in UTF-8, or nothing if it is not valid.
inline std::optional<std::size_t> utf8_length(std::string_view text) {
    std::size_t points = 0;
    for (std::size_t at = 0; at < text.size(); ++points) {
        const unsigned char first = static_cast<unsigned char>(text[at++]);
        const int more = first < 0x80 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
        std::uint32_t point = more == 0 ? first : first & (63 >> more);
        for (int i = 0; i < more; ++i, ++at) {
            if (at >= text.size() || (text[at] & 0xc0) != 0x80) return std::nullopt;
            point = point << 6 | (static_cast<unsigned char>(text[at]) & 63);
        }
        constexpr std::uint32_t LEAST[] = {0, 0x80, 0x800, 0x10000};
        if (first >= 0xf8 || point < LEAST[more] || point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) return {};
    }
    return points;
}

class Json {
  public:
    enum class Kind : std::uint8_t { NOTHING, FALSE, TRUE, INTEGER, REAL, TEXT, LIST, OBJECT };
    static constexpr int MAX_DEPTH = 16;

    explicit Json(std::string_view text) : text_(text) {
        value(0);
        skip_space();
        expect(at_ == text_.size(), "nothing after the JSON object");
    }

    // Values are named by their place; the document is value 0. The members of an object alternate with their keys.
    Kind kind(std::size_t value) const { return tokens_[value].kind; }
    bool is_number(std::size_t value) const { return kind(value) == Kind::INTEGER || kind(value) == Kind::REAL; }
    std::size_t begin(std::size_t value) const { return value + 1; }
    std::size_t end(std::size_t value) const { return value + tokens_[value].size; }
    std::size_t next(std::size_t value) const { return end(value); }

    std::size_t length(std::size_t list) const {
        std::size_t count = 0;
        for (std::size_t item = begin(list); item != end(list); item = next(item)) ++count;
        return count;
    }

    // The integer, or nothing for any other value and for numbers of more than nine digits.
    std::optional<int> integer(std::size_t value) const {
        if (kind(value) != Kind::INTEGER) return std::nullopt;
        const std::string digits(slice(value));
        const std::size_t sign = digits[0] == '-' ? 1 : 0;
        return digits.size() - sign > 9 ? std::nullopt : std::optional(std::atoi(digits.c_str()));
    }

    double real(std::size_t value) const { return std::strtod(std::string(slice(value)).c_str(), nullptr); }

    std::string text(std::size_t value) const;

    // The member of an object, or nothing.
    std::optional<std::size_t> member(std::size_t object, std::string_view name) const {
        for (std::size_t key = begin(object); key != end(object); key = next(key + 1))
            if (text(key) == name) return key + 1;
        return std::nullopt;
    }

  private:
    struct Token {
        Kind kind;
        std::uint32_t size;  // tokens of this value, itself included
        std::uint32_t start, length;
    };

    std::string_view slice(std::size_t value) const {
        return text_.substr(tokens_[value].start, tokens_[value].length);
    }

    void value(int depth);
    void list(int depth);
    void object(int depth);
    void number();
    void string();
    void word(std::string_view name, Kind kind) {
        expect(text_.substr(at_, name.size()) == name, "a JSON value");
        push(kind, at_, name.size());
        at_ += name.size();
    }
    void push(Kind kind, std::size_t start, std::size_t length) {
        tokens_.push_back({kind, 1, static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(length)});
    }
    void close(std::size_t token) { tokens_[token].size = static_cast<std::uint32_t>(tokens_.size() - token); }
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    bool accept(char letter) {
        skip_space();
        const bool found = at_ < text_.size() && text_[at_] == letter;
        at_ += found;
        return found;
    }
    void skip_space() { at_ = std::min(text_.find_first_not_of(" \t\n\r", at_), text_.size()); }
    std::size_t digits() {
        const std::size_t start = at_;
        while (peek() >= '0' && peek() <= '9') ++at_;
        return at_ - start;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::vector<Token> tokens_;
};

inline void Json::value(int depth) {
    expect(depth < MAX_DEPTH, "JSON without deep nesting");
    skip_space();
    switch (peek()) {
        case '{': return object(depth);
        case '[': return list(depth);
        case '"': return string();
        case 'n': return word("null", Kind::NOTHING);
        case 't': return word("true", Kind::TRUE);
        case 'f': return word("false", Kind::FALSE);
        default: return number();
    }
}

inline void Json::list(int depth) {
    const std::size_t token = tokens_.size();
    push(Kind::LIST, at_++, 0);
    if (!accept(']')) {
        do value(depth + 1);
        while (accept(','));
        expect(accept(']'), "a , or ] in a JSON list");
    }
    close(token);
}

inline void Json::object(int depth) {
    const std::size_t token = tokens_.size();
    push(Kind::OBJECT, at_++, 0);
    std::set<std::string> keys;
    if (!accept('}')) {
        do {
            skip_space();
            expect(peek() == '"', "a key in a JSON object");
            string();
            expect(keys.insert(text(tokens_.size() - 1)).second, "each key of a JSON object once");
            expect(accept(':'), "a : in a JSON object");
            value(depth + 1);
        } while (accept(','));
        expect(accept('}'), "a , or } in a JSON object");
    }
    close(token);
}

inline void Json::number() {
    const std::size_t start = at_;
    bool is_integer = true;
    if (peek() == '-') ++at_;
    if (peek() == '0')
        ++at_;
    else
        expect(digits() > 0, "a JSON value");
    if (peek() == '.') {
        is_integer = false;
        ++at_;
        expect(digits() > 0, "digits after a decimal point");
    }
    if (peek() == 'e' || peek() == 'E') {
        is_integer = false;
        ++at_;
        if (peek() == '+' || peek() == '-') ++at_;
        expect(digits() > 0, "digits in an exponent");
    }
    push(is_integer ? Kind::INTEGER : Kind::REAL, start, at_ - start);
}

inline void Json::string() {
    const std::size_t start = ++at_;
    for (; peek() != '"'; ++at_) {
        expect(at_ < text_.size() && static_cast<unsigned char>(peek()) >= 0x20, "a whole JSON string");
        if (peek() != '\\') continue;
        ++at_;
        expect(at_ < text_.size() && std::string_view("\"\\/bfnrtu").find(peek()) != std::string_view::npos,
               "a valid escape in a JSON string");
        if (peek() != 'u') continue;
        for (int i = 0; i < 4; ++i) {
            ++at_;
            expect(at_ < text_.size() && std::isxdigit(static_cast<unsigned char>(peek())), "four digits after \\u");
        }
    }
    push(Kind::TEXT, start, at_ - start);
    ++at_;
}

// Characters other than ASCII that are escaped become '?': no text that matters contains them.
inline std::string Json::text(std::size_t value) const {
    const std::string_view raw = slice(value);
    std::string decoded;
    for (std::size_t at = 0; at < raw.size(); ++at) {
        constexpr std::string_view NAMES = "\"\\/bfnrt", VALUES = "\"\\/\b\f\n\r\t";
        if (raw[at] != '\\') {
            decoded.push_back(raw[at]);
        } else if (raw[++at] != 'u') {
            decoded.push_back(VALUES[NAMES.find(raw[at])]);
        } else {
            const auto point = std::strtoul(std::string(raw.substr(at + 1, 4)).c_str(), nullptr, 16);
            const bool is_second_half = point >= 0xdc00 && point < 0xe000;
            if (!is_second_half) decoded.push_back(point < 0x80 ? static_cast<char>(point) : '?');
            at += 4;
        }
    }
    return decoded;
}

}  // namespace checker
