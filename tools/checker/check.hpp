// The check of a claim of a win or a draw: every node stands at one position, and every reply is answered.
#pragma once

#include <new>
#include <optional>

#include "block.hpp"
#include "zones.hpp"

template <std::size_t N>
class Check : public Walk<N, Position<N>> {
  public:
    using Walk<N, Position<N>>::Walk;

    bool has_passes = false;  // which remain to be checked

  private:
    using Walk<N, Position<N>>::rules, Walk<N, Position<N>>::claim, Walk<N, Position<N>>::positions;

    const bool wants_win = this->claim.goal == "win";

    void check(std::uint32_t node, const Position<N>& position, Cursor& in) override {
        const char kind = in.next();
        if (kind == 'm' || kind == 'f') expect(position.turn() == claim.side, "the prover to move");
        switch (kind) {
            case 'm': in.require(' '); return play(position, in.number(), rules.legal(position), in, ' ');
            case 'f': {
                Sequence<N> sequence(in);
                expect(!sequence.moves.empty(), "a sequence of at least one move");
                sequence.expect_win(Fight<N>(rules, position, claim.side), false);
                positions += sequence.positions;
                return;
            }
            case 'r': return check_replies(position, in);
            case 'g': {
                FixedStrategy<N> strategy(rules, in, wants_win);
                positions += strategy.play_out(Fight<N>(rules, position, claim.side), position.turn() == claim.side);
                return;
            }
            case 'o': return check_mirror(position, in);
        }
        expect(!wants_win, "a node that proves a win");
        if (kind == 'S')
            return expect(node == 0 && position.marked().none() && claim.side == X && rules.is_monotone(),
                          "strategy stealing by X at the start of a game in which it is valid");
        expect(rules.is_static(), "a game in which pairings, set matchings and sums are valid");
        const std::vector<Set<N>> sets = rules.open_lines(position, claim.side);
        Leaf<N>{sets, position.turn() == claim.side}.check(kind, rules.open_cells(position), in);
    }

    void check_mirror(const Position<N>& position, Cursor& in) {
        expect(rules.game.is_misere && !rules.is_ultimate() && !rules.has_gravity && !rules.has_guards,
               "a game in which mirror strategies are valid");
        expect(position.turn() != claim.side, "the opponent to move");
        in.require(' ');
        const std::size_t symmetry = in.number();
        expect(symmetry < this->symmetries.size(), "a symmetry of the header");
        Mirror<N>{rules, this->symmetries[symmetry].cells}.check(position.marks[claim.side],
                                                                 position.marks[1 - claim.side], wants_win);
    }

    void check_replies(const Position<N>& position, Cursor& in) {
        expect(position.turn() != claim.side, "the opponent to move");
        Set<N> left = rules.legal(position), dominating, dominated;
        bool has_default = false, is_passed = false;
        while (in.accept(' ') && !(has_default = in.accept('='))) {
            if (in.accept("~ ")) {
                is_passed = true;
                follow_pass(position, in);
                continue;
            }
            expect(!is_passed, "passes after the items");
            const int cell = in.number();
            if (in.accept('<')) {
                const int by = in.number();
                expect_legal(by, rules.legal(position));
                expect_legal(cell, left);
                check_dominated(position, cell, by);
                dominated.set(cell);
                dominating.set(by);
            } else {
                play(position, cell, left, in, ':');
            }
            left.reset(cell);
        }
        expect((dominating & dominated).none(), "a dominating reply that is answered itself");
        expect(has_default || is_passed || left.none(), "an answer to every reply");
        if (!has_default && !is_passed) return;
        Sequence<N> sequence(in);
        if (!is_passed) positions += sequence.replay_after_each(left, Fight<N>(rules, position, claim.side));
        positions += is_passed ? left.count() : sequence.positions;
    }

    void follow_pass(Position<N> position, Cursor& in) {
        expect(wants_win && rules.is_static(), "a claim win in a game in which passes are valid");
        has_passes = true;
        position.has_passed = !position.has_passed;
        this->follow(position, in);
    }

    void check_dominated(const Position<N>& position, int cell, int by) const {
        expect(rules.is_monotone(), "a game in which replies can be dominated");
        for (const std::size_t index : rules.through[cell]) {
            const Set<N>& line = rules.lines[index].cells;
            const bool is_dead = (line & position.marks[X]).any() && (line & position.marks[O]).any();
            expect(is_dead || line[by], "the dominating reply on every open line of the other");
        }
    }

    // Plays a move; after the separator follows the node at which the proof continues, otherwise the game must end.
    void play(const Position<N>& position, int cell, const Set<N>& legal, Cursor& in, char separator) {
        expect_legal(cell, legal);
        Position<N> next = position;
        const int ending = rules.play(next, cell);
        ++positions;
        if (!in.accept(separator)) {
            expect(ending != NOT_OVER, "a move that ends the game, but it is not over");
            return expect(ending == claim.side || (ending == DRAW && !wants_win), "the game to end as claimed");
        }
        expect(ending == NOT_OVER, "the game to continue, but it is over");
        this->follow(next, in);
    }

    void expect_legal(int cell, const Set<N>& legal) const {
        if (cell >= rules.game.cells || !legal[cell])
            throw Rejection("expected a legal move that is not answered yet, got cell " + std::to_string(cell));
    }
};

// A win is one claim of the side to move, a loss one of the other side, a draw one of each side.
inline void check_claims(const std::vector<Claim>& claims, const std::string& value, int mover) {
    const bool is_draw = value == "draw", is_win = value == "win";
    expect(is_draw || is_win || value == "loss", "a value of win, draw or loss");
    expect(claims.size() == (is_draw ? 2 : 1), "two claims for a draw, otherwise one");
    for (const Claim& claim : claims) expect((claim.goal != "win") == is_draw, "claims that fit the value");
    expect(is_draw ? claims[0].side != claims[1].side : (claims[0].side == mover) == is_win, "the right sides");
}

// What a proof must prove, as far as it was given.
struct Statement {
    std::optional<Game> game{};
    std::optional<std::string> position{}, value{};
};

// What a proof proves, after its value. A name is quoted, so that it cannot be taken for an id or for more of the text.
inline std::string describe(const Header& header, int mover) {
    const Game& game = header.game;
    std::string name = header.name;
    for (std::size_t at = 0; game.is_custom && (at = name.find_first_of("\"\\", at)) != std::string::npos; at += 2)
        name.insert(at, 1, '\\');
    if (game.is_custom) name = "a custom game named \"" + name + '"';
    std::string text = std::string(mover == X ? "X" : "O") + " to move at " + header.position + " in " + name + ", " +
                       std::to_string(game.cells) + " cells, " + std::to_string(game.lines.size()) + " lines";
    if (!game.is_custom) return text;
    const auto has_guards = [](const Line& line) { return !line.guards.empty(); };
    if (std::ranges::any_of(game.lines, has_guards)) text += ", guards";
    if (std::ranges::any_of(game.rests_on, [](const Cells& below) { return !below.empty(); })) text += ", gravity";
    return game.is_misere ? text + ", misere" : text;
}

template <std::size_t N>
std::string check_proof(const Proof& proof, const Header& header, const Statement& statement) {
    const Rules<N> rules(header.game);
    const auto read_position = [&](std::string_view text) { return PositionReader<N>{rules, Cursor(text)}.read(); };
    const Position<N> start = read_position(header.position);
    const std::string said = describe(header, start.turn());
    const auto expect_stated = [&](bool holds, const std::string& asked, const std::string& option) {
        const std::string given = asked + " that " + option + " asks for";
        if (!holds) throw Rejection("expected the " + given + ", got a proof of " + header.value + ": " + said);
    };
    const auto is_stated = [&](const std::string& text) {
        return start == (text == "start" ? Position<N>{} : read_position(text));
    };
    expect_stated(!statement.game || *statement.game == header.game, "game", "--game");
    expect_stated(!statement.position || is_stated(*statement.position), "position", "--position");
    const auto& value = statement.value;
    expect_stated(!value || *value == header.value, value.value_or(""), "--value");
    check_claims(proof.claims, header.value, start.turn());
    const std::vector<Symmetry> symmetries = read_symmetries(header.game, header.symmetries);
    std::size_t nodes = 0, positions = 0;
    for (const Claim& claim : proof.claims) {
        if (claim.goal == "block") {
            expect(rules.is_static(), "a game in which claims block are valid");
            const BlockState<N> state{reduced<N>({}, rules.open_lines(start, claim.side)), start.turn() == claim.side};
            positions += BlockCheck<N>(rules, proof, claim, symmetries).run(state);
        } else {
            Check<N> check(rules, proof, claim, symmetries);
            positions += check.run(start);
            if (check.has_passes) ZoneCheck<N>(rules, proof, claim, symmetries).run(start);
        }
        nodes += claim.nodes.size();
    }
    return header.value + ", " + std::to_string(nodes) + " nodes, " + std::to_string(positions) + " positions: " + said;
}

enum class Result { HOLDS, FAILS, UNKNOWN };

struct Verdict {
    Result result;
    std::string text;  // what was proven and the work done, or the place where the proof fails
};

// Checks the file that `read()` returns, which must prove the statement.
template <class Read>
Verdict verdict_on(Read read, const Statement& statement = {}) {
    try {
        const Proof proof(read());
        const Header header = read_header(proof.header());
        const int cells = header.game.cells;
        return {Result::HOLDS, cells <= 64    ? check_proof<64>(proof, header, statement)
                               : cells <= 256 ? check_proof<256>(proof, header, statement)
                               : cells <= 512 ? check_proof<512>(proof, header, statement)
                                              : check_proof<MAX_CELLS>(proof, header, statement)};
    } catch (const Rejection& reason) {
        return {Result::FAILS, std::string("not a proof: ") + reason.what()};
    } catch (const std::runtime_error& reason) {
        return {Result::UNKNOWN, std::string("not checked: ") + reason.what()};
    } catch (const std::bad_alloc&) {
        return {Result::UNKNOWN, "not checked: out of memory"};
    }
}
