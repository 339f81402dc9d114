// The file: its limits and its claims.
#pragma once

#include <cstdint>
#include <vector>

#include "text.hpp"

constexpr std::uint64_t MAX_TEXT_BYTES = 512 << 20;
constexpr std::size_t MAX_HEADER_BYTES = 16 << 20, MAX_LINE_BYTES = 1 << 20, MAX_LINE_FEEDS = 40'000'000;

struct Claim {
    std::string name;
    int side;
    std::string goal;                  // win, draw or block
    std::size_t line;                  // of node 0, counted from 1
    std::vector<std::uint32_t> nodes;  // where each node begins in the text

    std::string place(std::size_t node) const {
        return name + ", node " + std::to_string(node) + " (line " + std::to_string(line + node) + ")";
    }
};

// The text of a proof, with its limits checked and its claims found; the header and the nodes are read later.
class Proof {
  public:
    explicit Proof(std::string data) : text_(std::move(data)) {
        expect(text_.size() <= MAX_TEXT_BYTES, "at most 512 MB of text");
        expect(header().size() <= MAX_HEADER_BYTES, "a header of at most 16 MB");
        std::size_t feeds = 1;
        for (std::size_t at = header().size() + 1; at < text_.size(); ++feeds) {
            const std::string_view line = line_at(at);
            expect(line.size() <= MAX_LINE_BYTES, "lines of at most 1 MB");
            expect(feeds < MAX_LINE_FEEDS || at + line.size() == text_.size(), "at most 40 million line feeds");
            expect(line.starts_with("claim") || !claims.empty(), "a claim after the header");
            if (line.starts_with("claim"))
                add_claim(line, feeds + 2);
            else
                claims.back().nodes.push_back(static_cast<std::uint32_t>(at));
            at += line.size() + 1;
        }
    }

    std::string_view header() const { return line_at(0); }

    // The line that begins at a place.
    std::string_view line_at(std::size_t start) const {
        const std::size_t end = std::min(text_.find('\n', start), text_.size());
        return std::string_view(text_).substr(start, end - start);
    }

    std::vector<Claim> claims;

  private:
    void add_claim(std::string_view line, std::size_t next_line) {
        expect(claims.size() < 2, "at most two claims");
        Cursor in(line);
        const bool is_x = in.accept("claim X "), is_o = in.accept("claim O ");
        const std::string goal(line.substr(in.place()));
        expect((is_x || is_o) && (goal == "win" || goal == "draw" || goal == "block"), "claim X win or the like");
        claims.push_back({std::string(line), is_x ? 0 : 1, goal, next_line, {}});
    }

    std::string text_;
};
