// The check of a claim: every node stands at one position, and every reply is answered. See docs/proofs.md.
#pragma once

#include <deque>
#include <new>

#include "fight.hpp"
#include "header.hpp"
#include "leaves.hpp"
#include "proof.hpp"

template <std::size_t N>
struct Check {
    static constexpr std::uint32_t NOWHERE = ~0u;
    static constexpr std::size_t MAX_SET = 12;
    static constexpr std::uint64_t MAX_POSITION_BYTES = std::uint64_t{4} << 30;

    const Rules<N>& rules;
    const Proof& proof;
    const Claim& claim;
    const std::vector<Symmetry>& symmetries;
    std::vector<std::uint32_t> arrivals = std::vector(claim.nodes.size(), NOWHERE);  // the position of each node
    std::deque<Position<N>> reached{};
    std::vector<std::uint32_t> waiting{};
    std::uint64_t positions = 0;

    // Returns the number of positions visited; throws Rejection with the place.
    std::uint64_t run(const Position<N>& start) {
        if (claim.nodes.empty()) throw Rejection(claim.name() + ": expected nodes, got none");
        reach(0, start);
        while (!waiting.empty()) {
            const std::uint32_t node = waiting.back();
            waiting.pop_back();
            try {
                check(node, reached[arrivals[node]]);
            } catch (const Rejection& reason) {
                throw Rejection(place(node) + ": " + reason.what());
            }
        }
        if (const auto unused = std::ranges::find(arrivals, NOWHERE); unused != arrivals.end())
            throw Rejection(place(unused - arrivals.begin()) + ": expected every node to be reached");
        return positions;
    }

    std::string place(std::size_t node) const {
        return claim.name() + ", node " + std::to_string(node) + " (line " + std::to_string(claim.line + node) + ")";
    }

    void check(std::uint32_t node, const Position<N>& position) {
        ++positions;
        Cursor in(proof.line_at(claim.nodes[node]));
        const char kind = in.next();
        if (kind == 'm' || kind == 'f') expect(position.turn() == claim.side, "the prover to move");
        switch (kind) {
            case 'm':
                in.require(' ');
                play(position, in.number(), rules.legal(position), in, ' ');
                break;
            case 'f': check_forced(position, in); break;
            case 'r': check_replies(position, in); break;
            case 'g': check_strategy(position, in); break;
            default: check_leaf(node, {rules, position, claim.side}, kind, in);
        }
        in.finish();
    }

    void check_leaf(std::uint32_t node, const Leaf<N>& leaf, char kind, Cursor& in) const {
        expect(!claim.wants_win, "a node that proves a win");
        if (kind == 'p') return leaf.check_matching(in, 2);
        expect(kind != 't' || !in.is_at_end(), "at least one set");
        if (kind == 't') return leaf.check_matching(in, MAX_SET);
        if (kind == 's') return leaf.check_sum();
        expect(kind == 'S' && node == 0, "a node of kind m, r, f, g, p, t, s or, as the first, S");
        leaf.check_stealing();
    }

    void check_replies(const Position<N>& position, Cursor& in) {
        expect(position.turn() != claim.side, "the opponent to move");
        Set<N> left = rules.legal(position), dominating, dominated;
        bool has_default = false;
        while (in.accept(' ') && !(has_default = in.accept('='))) {
            const int cell = in.number();
            if (in.accept('<')) {
                const int by = in.number();
                expect_legal(by, rules.legal(position));
                expect_legal(cell, left);
                Leaf<N>{rules, position, claim.side}.check_dominated(cell, by);
                dominated.set(cell);
                dominating.set(by);
            } else {
                play(position, cell, left, in, ':');
            }
            left.reset(cell);
        }
        expect((dominating & dominated).none(), "a dominating reply that is answered itself");
        if (has_default)
            check_default(position, left, in);
        else if (left.any())
            throw Rejection("expected an answer to cell " + std::to_string(first_of(left)) + ", got none");
    }

    // Plays a move; after the separator follows the node at which the proof continues, otherwise the game must end.
    void play(const Position<N>& position, int cell, const Set<N>& legal, Cursor& in, char separator) {
        expect_legal(cell, legal);
        Position<N> next = position;
        const int ending = rules.play(next, cell);
        ++positions;
        if (!in.accept(separator)) {
            expect(ending != NOT_OVER, "a move that ends the game, but it is not over");
            return expect(ending == claim.side || (ending == DRAW && !claim.wants_win), "the game to end as claimed");
        }
        const std::uint32_t target = in.number();
        expect(ending == NOT_OVER, "the game to continue, but it is over");
        expect(target < claim.nodes.size(), "a reference to a node of the claim");
        if (in.accept('/')) {
            const std::size_t symmetry = in.number();
            expect(symmetry < symmetries.size(), "a symmetry of the header");
            next = preimage(next, symmetries[symmetry]);
        }
        if (arrivals[target] == NOWHERE) return reach(target, next);
        expect(reached[arrivals[target]] == next, "a reference to the position of its node, but that is another one");
    }

    void reach(std::uint32_t node, const Position<N>& position) {
        if (reached.size() >= MAX_POSITION_BYTES / sizeof position)
            throw CannotCheck("expected at most 4 GB of positions");
        arrivals[node] = static_cast<std::uint32_t>(reached.size());
        reached.push_back(position);
        waiting.push_back(node);
    }

    void expect_legal(int cell, const Set<N>& legal) const {
        if (cell >= rules.game.cells || !legal[cell])
            throw Rejection("expected a legal move that is not answered yet, got cell " + std::to_string(cell));
    }

    void check_forced(const Position<N>& position, Cursor& in) {
        Sequence<N> sequence(in);
        expect(!sequence.moves.empty(), "a sequence of at least one move");
        sequence.replay(Fight<N>(rules, position, claim.side), false);
        positions += sequence.positions;
    }

    // Replays the sequence after every reply that was not listed, except for replies that cannot affect it.
    void check_default(const Position<N>& position, const Set<N>& replies, Cursor& in) {
        Sequence<N> sequence(in);
        const Fight<N> start(rules, position, claim.side);
        const Set<N> alike = replies & sequence.indifferent(start);
        for_each(replies & ~alike, [&](int cell) { sequence.replay_after(cell, start); });
        positions += alike.count() + sequence.positions;
    }

    void check_strategy(const Position<N>& position, Cursor& in) {
        FixedStrategy<N> strategy(rules, in, claim.wants_win);
        positions += strategy.play_out(Fight<N>(rules, position, claim.side), position.turn() == claim.side);
    }
};

// A win is one claim of the side to move, a loss one of the other side, a draw one of each side.
inline void check_claims(const std::vector<Claim>& claims, const std::string& value, int mover) {
    const bool is_draw = value == "draw", is_win = value == "win";
    expect(is_draw || is_win || value == "loss", "a value of win, draw or loss");
    expect(claims.size() == (is_draw ? 2 : 1), "two claims for a draw, otherwise one");
    for (const Claim& claim : claims) expect(claim.wants_win != is_draw, "claims that fit the value");
    expect(is_draw ? claims[0].side != claims[1].side : (claims[0].side == mover) == is_win,
           "claims of the right sides");
}

template <std::size_t N>
std::string check_proof(const Proof& proof, const Header& header) {
    const Rules<N> rules(header.game);
    const Position<N> start = PositionReader<N>{rules, Cursor(header.position)}.read();
    check_claims(proof.claims, header.value, start.turn());
    const std::vector<Symmetry> symmetries = read_symmetries(header.game, header.symmetries);
    std::size_t nodes = 0, positions = 0;
    for (const Claim& claim : proof.claims) {
        positions += Check<N>{rules, proof, claim, symmetries}.run(start);
        nodes += claim.nodes.size();
    }
    return header.value + ", " + std::to_string(nodes) + " nodes, " + std::to_string(positions) + " positions";
}

enum class Result { HOLDS, FAILS, UNKNOWN };

struct Verdict {
    Result result;
    std::string text;  // the value and the work done, or the place where the proof fails
};

// Checks the file that `read()` returns.
template <class Read>
Verdict verdict_on(Read read) {
    try {
        const Proof proof(read());
        const Header header = read_header(proof.header());
        const int cells = header.game.cells;
        return {Result::HOLDS, cells <= 64    ? check_proof<64>(proof, header)
                               : cells <= 256 ? check_proof<256>(proof, header)
                                              : check_proof<MAX_CELLS>(proof, header)};
    } catch (const Rejection& reason) {
        return {Result::FAILS, std::string("not a proof: ") + reason.what()};
    } catch (const CannotCheck& reason) {
        return {Result::UNKNOWN, std::string("not checked: ") + reason.what()};
    } catch (const std::bad_alloc&) {
        return {Result::UNKNOWN, "not checked: out of memory"};
    }
}
