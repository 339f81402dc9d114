// Reads JSON (RFC 8259) of a known shape from left to right, so that a hostile header stays small in memory.
#pragma once

#include <cctype>
#include <cstdlib>
#include <set>
#include <vector>

#include "text.hpp"

class Json {
  public:
    explicit Json(std::string_view text) : in_(text) {}

    // The text from the next token on.
    Cursor& token() {
        while (in_.accept(' ') || in_.accept('\t') || in_.accept('\n') || in_.accept('\r')) continue;
        return in_;
    }

    // Calls `read_member(key)` before the value of each member, which it must read; returns the keys.
    template <class Read>
    std::set<std::string> read_object(Read read_member) {
        std::set<std::string> keys;
        read_items('{', '}', [&] {
            std::string key;
            read(key);
            expect(token().accept(':') && keys.insert(key).second, "each key of a JSON object once");
            read_member(key);
        });
        return keys;
    }

    template <class Item>
    void read(std::vector<Item>& list) {
        read_items('[', ']', [&] { read(list.emplace_back()); });
    }

    // An integer of at most nine digits.
    void read(int& number) {
        const int sign = token().accept('-') ? -1 : 1;
        number = sign * (in_.accept('0') ? 0 : in_.positive_number());
    }

    void read(double& number) {
        const std::size_t start = token().place();
        in_.accept('-');
        expect(in_.accept('0') || in_.skip_digits() > 0, "a number");
        if (in_.accept('.')) expect(in_.skip_digits() > 0, "digits after a decimal point");
        if (in_.accept('e') || in_.accept('E')) {
            if (!in_.accept('+')) in_.accept('-');
            expect(in_.skip_digits() > 0, "digits in an exponent");
        }
        number = std::strtod(std::string(in_.text_since(start)).c_str(), nullptr);
    }

    // Characters other than ASCII are escaped and become '?': no text that matters contains them.
    void read(std::string& text) {
        constexpr std::string_view NAMES = "\"\\/bfnrtu", VALUES = "\"\\/\b\f\n\r\t";
        text.clear();
        for (expect(token().accept('"'), "a JSON string"); !in_.accept('"');) {
            char letter = in_.next();
            expect(letter >= ' ' && static_cast<unsigned char>(letter) < 128, "only printable ASCII in a JSON string");
            if (letter == '\\') {
                const std::size_t name = NAMES.find(in_.next());
                expect(name != std::string_view::npos, "a valid escape in a JSON string");
                const int point = name < VALUES.size() ? VALUES[name] : read_code_point();
                letter = point < 0x80 ? static_cast<char>(point) : '?';
            }
            text.push_back(letter);
        }
    }

  private:
    template <class Read>
    void read_items(char begin, char end, Read read) {
        expect(token().accept(begin), "a JSON object or list where docs/proof-format.md has one");
        if (token().accept(end)) return;
        do read();
        while (token().accept(','));
        expect(token().accept(end), "a whole JSON object or list");
    }

    // A code unit, or two that together stand for one character; anything but the first half of a pair stands for
    // itself.
    int read_code_point() {
        const int first = read_code_unit();
        expect(first < 0xdc00 || first > 0xdfff, "no second half of a pair without the first");
        if (first < 0xd800 || first > 0xdbff) return first;
        expect(in_.accept("\\u"), "the second half of a pair after the first");
        const int second = read_code_unit();
        expect(second >= 0xdc00 && second <= 0xdfff, "the second half of a pair after the first");
        return first;
    }

    int read_code_unit() {
        const std::size_t start = in_.place();
        for (int i = 0; i < 4; ++i)
            expect(std::isxdigit(static_cast<unsigned char>(in_.next())), "four hexadecimal digits after \\u");
        return static_cast<int>(std::strtol(std::string(in_.text_since(start)).c_str(), nullptr, 16));
    }

    Cursor in_;
};
