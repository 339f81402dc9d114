// The file: its limits, its header and its claims.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "game.hpp"
#include "gzip.hpp"
#include "json.hpp"

namespace checker {

constexpr std::size_t MAX_TEXT_BYTES = std::size_t{512} << 20, MAX_EXPANSION = 50, SPARE_BYTES = 1 << 20;
constexpr std::size_t MAX_HEADER_BYTES = 16 << 20, MAX_LINE_BYTES = 1 << 20, MAX_LINES_OF_TEXT = 20'000'000;

struct Claim {
    int side;
    bool wants_win;
    std::size_t line;                  // of node 0, counted from 1
    std::vector<std::uint32_t> nodes;  // where each node begins in the text

    std::string name() const { return std::string("claim ") + "XO"[side] + (wants_win ? " win" : " draw"); }
};

inline std::size_t most_unpacked(std::size_t packed) {
    return std::min<std::uint64_t>(MAX_TEXT_BYTES, SPARE_BYTES + MAX_EXPANSION * std::uint64_t{packed});
}

// The text of a proof with its lines found and its limits checked; the header and the nodes are read later.
class ProofText {
  public:
    explicit ProofText(std::string data) : text_(std::move(data)) {
        if (is_gzip(text_)) text_ = Gunzip(text_, most_unpacked(text_.size())).text();
        expect(text_.size() <= MAX_TEXT_BYTES, "at most 512 MB of text");
        check_lines();
        header_end_ = std::min(text_.find('\n'), text_.size());
        expect(utf8_length(header()).has_value(), "a header in UTF-8");
        expect(std::all_of(text_.begin() + header_end_, text_.end(), [](char letter) { return letter >= 0; }),
               "nodes in ASCII");
    }

    std::string_view header() const { return std::string_view(text_).substr(0, header_end_); }

    // The line that begins at a place.
    std::string_view line_at(std::size_t start) const {
        const std::size_t end = std::min(text_.find('\n', start), text_.size());
        return std::string_view(text_).substr(start, end - start);
    }

    std::vector<Claim> claims() const {
        std::vector<Claim> claims;
        std::size_t number = 2;
        for (std::size_t at = header_end_ + 1; at < text_.size(); ++number) {
            const std::string_view line = line_at(at);
            if (line.starts_with("claim"))
                claims.push_back(parse_claim(line, number));
            else if (claims.empty())
                throw Rejection("line 2: expected claim X win or the like");
            else
                claims.back().nodes.push_back(static_cast<std::uint32_t>(at));
            at += line.size() + 1;
        }
        expect(!claims.empty(), "claim X win or the like");
        return claims;
    }

  private:
    void check_lines() const {
        std::size_t start = 0, lines = 0;
        while (true) {
            const std::size_t end = std::min(text_.find('\n', start), text_.size());
            if (end - start > (lines == 0 ? MAX_HEADER_BYTES : MAX_LINE_BYTES))
                throw Rejection("line " + std::to_string(lines + 1) + ": expected a line of a proof, got a longer one");
            if (end == text_.size()) break;
            start = end + 1;
            expect(++lines <= MAX_LINES_OF_TEXT, "at most 20 million lines");
        }
    }

    static Claim parse_claim(std::string_view line, std::size_t number) {
        for (const int side : {0, 1})
            for (const bool wants_win : {false, true})
                if (Claim claim{side, wants_win, number + 1, {}}; line == claim.name()) return claim;
        throw Rejection("line " + std::to_string(number) + ": expected claim X win or the like");
    }

    std::string text_;
    std::size_t header_end_ = 0;
};

enum class Value { WIN, DRAW, LOSS };
constexpr const char* VALUE_NAMES[] = {"win", "draw", "loss"};

struct Header {
    Game game;
    std::string position;
    Value value = Value::DRAW;
    std::size_t symmetries = 0;  // the list in the JSON
};

inline Header read_header(const Json& json) {
    using Kind = Json::Kind;
    expect(json.kind(0) == Kind::OBJECT, "the header as a JSON object");
    std::array<std::size_t, 5> values{};
    constexpr const char* KEYS[] = {"noughts_proof", "game", "position", "value", "symmetries"};
    for (std::size_t i = 0; i < 5; ++i) {
        const auto value = json.member(0, KEYS[i]);
        expect(value.has_value(), "the keys noughts_proof, game, position, value and symmetries");
        values[i] = *value;
    }
    expect(json.length(0) == 2 * values.size(), "only the keys noughts_proof, game, position, value and symmetries");
    expect(json.integer(values[0]) == 1, "a proof of version 1");
    expect(json.kind(values[2]) == Kind::TEXT && json.kind(values[3]) == Kind::TEXT, "position and value as text");
    expect(json.kind(values[4]) == Kind::LIST, "symmetries as a list");
    for (std::size_t item = json.begin(values[4]); item != json.end(values[4]); item = json.next(item))
        expect(json.kind(item) == Kind::LIST, "symmetries as lists of cells");
    Header header;
    header.game = read_game(json, values[1]);
    header.position = json.text(values[2]);
    const auto name = std::ranges::find(VALUE_NAMES, json.text(values[3]));
    expect(name != std::end(VALUE_NAMES), "a value of win, draw or loss");
    header.value = static_cast<Value>(name - VALUE_NAMES);
    header.symmetries = values[4];
    return header;
}

}  // namespace checker
