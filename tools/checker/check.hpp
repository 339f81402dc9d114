// The check of a claim: every node stands at one position, and every reply is answered. See docs/proofs.md.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proof.hpp"
#include "rules.hpp"
#include "sequences.hpp"

namespace checker {

struct Report {
    Value value = Value::DRAW;
    std::uint64_t nodes = 0, positions = 0;
};

// Reads a node from left to right.
class Cursor {
  public:
    explicit Cursor(std::string_view text) : text_(text) {}

    bool is_at_end() const { return at_ == text_.size(); }

    bool accept(char letter) {
        const bool found = at_ < text_.size() && text_[at_] == letter;
        at_ += found;
        return found;
    }

    bool accept(std::string_view word) {
        const bool found = text_.substr(at_).starts_with(word);
        at_ += found ? word.size() : 0;
        return found;
    }

    void expect_letter(char letter) { expect(accept(letter), "a node as docs/proofs.md describes it"); }

    int number() {
        int value = 0, digits = 0;
        for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_, ++digits) {
            expect(digits < 9, "numbers of at most nine digits");
            value = 10 * value + (text_[at_] - '0');
        }
        expect(digits > 0, "a number");
        return value;
    }

    void expect_end() const { expect(is_at_end(), "a node as docs/proofs.md describes it"); }

  private:
    std::string_view text_;
    std::size_t at_ = 0;
};

template <int W>
class Check {
  public:
    using Set = CellSet<W>;

    Check(const Rules<W>& rules, const ProofText& text, const Claim& claim, const std::vector<Symmetry>& symmetries,
          const std::vector<Symmetry>& inverses)
        : rules_(rules), text_(text), claim_(claim), symmetries_(symmetries), inverses_(inverses), sequences_(rules) {
        const bool is_plain = !rules.is_ultimate() && !rules.game.is_misere;
        has_sequences_ = is_plain;
        is_static_ = is_plain && !rules.has_gravity;
        is_free_ = is_static_ && !rules.has_guards;
        arrivals_.resize(claim.nodes.size());
        for (const Line& line : rules.game.lines) longest_ = std::max(longest_, line.cells.size());
    }

    // Returns the number of positions visited; throws Rejection with the place.
    std::uint64_t run(const Position<W>& start) {
        if (claim_.nodes.empty()) throw Rejection(claim_.name() + ": expected nodes, got none");
        reach(0, start, {});
        std::size_t seen = 0;
        for (; !waiting_.empty(); ++seen) {
            const std::uint32_t node = waiting_.back();
            waiting_.pop_back();
            try {
                check(node, reached_[arrivals_[node].position]);
            } catch (const Rejection& reason) {
                throw Rejection(place(node) + ": " + reason.what());
            }
        }
        if (seen < claim_.nodes.size()) {
            const auto unused = std::ranges::find(arrivals_, NOWHERE, &Arrival::position) - arrivals_.begin();
            throw Rejection(place(static_cast<std::uint32_t>(unused)) +
                            ": expected every node to be reached, but nothing leads to this one");
        }
        return positions_ + sequences_.positions;
    }

  private:
    static constexpr std::uint32_t NOWHERE = ~0u;
    static constexpr std::uint64_t MAX_POSITION_BYTES = std::uint64_t{4} << 30;

    // How a node was first reached.
    struct Arrival {
        std::uint32_t position = NOWHERE, parent = NOWHERE;
        std::int32_t cell = -1, symmetry = -1;
    };

    int opponent() const { return 1 - claim_.side; }

    void check(std::uint32_t node, const Position<W>& position) {
        ++positions_;
        Cursor cursor(text_.line_at(claim_.nodes[node]));
        if (cursor.accept('m')) return check_move(node, position, cursor);
        if (cursor.accept('r')) return check_replies(node, position, cursor);
        if (cursor.accept('f')) return check_forced(position, cursor);
        if (cursor.accept('p')) return check_pairing(position, cursor);
        const bool is_sum = cursor.accept('s');
        expect(is_sum || cursor.accept('S'), "a node of kind m, r, f, p, s or S");
        cursor.expect_end();
        is_sum ? check_sum(position) : check_stealing(node, position);
    }

    // Nodes that lead to others

    void check_move(std::uint32_t node, const Position<W>& position, Cursor& cursor) {
        expect(position.turn() == claim_.side, "the prover to move");
        cursor.expect_letter(' ');
        const int cell = cursor.number();
        play(node, position, cell, rules_.legal(position), cursor, cursor.accept(' '));
        cursor.expect_end();
    }

    void check_replies(std::uint32_t node, const Position<W>& position, Cursor& cursor) {
        expect(position.turn() == opponent(), "the opponent to move");
        const Set legal = rules_.legal(position);
        Set covered, dominated;
        dominations_.clear();
        bool has_default = false;
        while (!has_default && !cursor.is_at_end()) {
            cursor.expect_letter(' ');
            if (has_default = cursor.accept('='); has_default) break;
            const int cell = cursor.number();
            expect_legal(cell, legal);
            expect(!covered.has(cell), "one answer to each reply, got two");
            covered.add(cell);
            if (cursor.accept('<')) {
                dominated.add(cell);
                dominations_.emplace_back(cell, cursor.number());
            } else {
                play(node, position, cell, legal, cursor, cursor.accept(':'));
            }
        }
        for (const auto& [cell, by] : dominations_) check_dominated(position, cell, by, legal, dominated);
        const Set left = legal - covered;
        if (!has_default && left.any())
            throw Rejection("expected an answer to cell " + std::to_string(left.first()) + ", got none");
        if (has_default) check_default(position, left, cursor);
    }

    // Plays a move: without a reference it must end the game as claimed, otherwise the proof continues there.
    void play(std::uint32_t node, const Position<W>& position, int cell, const Set& legal, Cursor& cursor,
              bool has_reference) {
        expect_legal(cell, legal);
        Position<W> next = position;
        const int ending = rules_.play(next, position.turn(), cell);
        ++positions_;
        if (!has_reference) {
            expect(ending != NOT_OVER, "a move that ends the game, but it is not over");
            expect(ending == claim_.side || (ending == DRAW && !claim_.wants_win), "the game to end as claimed");
            return;
        }
        const int target = cursor.number(), symmetry = cursor.accept('/') ? cursor.number() : -1;
        expect(ending == NOT_OVER, "the game to continue, but it is over");
        expect(static_cast<std::size_t>(target) < arrivals_.size(), "a reference to a node of the claim");
        expect(symmetry < static_cast<int>(inverses_.size()), "a symmetry of the header");
        if (symmetry >= 0) next = rules_.image(next, inverses_[symmetry]);
        const std::uint32_t known = arrivals_[target].position;
        if (known == NOWHERE)
            reach(static_cast<std::uint32_t>(target), next, {NOWHERE, node, cell, symmetry});
        else
            expect(reached_[known] == next, "a reference to the position of its node, but that is another one");
    }

    void reach(std::uint32_t node, const Position<W>& position, Arrival arrival) {
        if (reached_.size() >= MAX_POSITION_BYTES / sizeof position)
            throw CannotCheck("expected at most 4 GB of positions");
        arrival.position = static_cast<std::uint32_t>(reached_.size());
        arrivals_[node] = arrival;
        reached_.push_back(position);
        waiting_.push_back(node);
    }

    void expect_legal(int cell, const Set& legal) const {
        if (cell >= rules_.game.cells || !legal.has(cell))
            throw Rejection("expected a legal move, got cell " + std::to_string(cell));
    }

    // Nodes at which the proof ends

    void check_dominated(const Position<W>& position, int cell, int by, const Set& legal, const Set& dominated) const {
        expect(is_free_, "a game in which replies can be dominated");
        expect_legal(by, legal);
        expect(!dominated.has(by), "a dominating reply that is answered itself");
        for (const std::uint32_t index : rules_.through[cell]) {
            bool has_x = false, has_o = false, has_by = false;
            for (const int other : rules_.game.lines[index].cells) {
                has_x |= position.marks[X].has(other);
                has_o |= position.marks[O].has(other);
                has_by |= other == by;
            }
            expect((has_x && has_o) || has_by, "the dominating reply on every open line of the other");
        }
    }

    void read_sequence(Cursor& cursor) {
        sequence_.clear();
        while (!cursor.is_at_end()) {
            cursor.expect_letter(' ');
            sequence_.push_back(cursor.number());
        }
    }

    void check_forced(const Position<W>& position, Cursor& cursor) {
        expect(position.turn() == claim_.side, "the prover to move");
        read_sequence(cursor);
        expect(has_sequences_ && !sequence_.empty(), "a forced sequence, in a game in which it is valid");
        const Fight<W> fight = sequences_.start(position.marks[claim_.side], position.marks[opponent()]);
        if (const char* reason = sequences_.replay(fight, sequence_, false)) throw Rejection(reason);
    }

    // Replays the sequence after every reply that was not listed, except for replies that cannot affect it.
    void check_default(const Position<W>& position, const Set& replies, Cursor& cursor) {
        read_sequence(cursor);
        expect(has_sequences_, "a game in which forced sequences are valid");
        if (!replies.any()) return;
        const Fight<W> fight = sequences_.start(position.marks[claim_.side], position.marks[opponent()]);
        const Set alike = replies & sequences_.indifferent(fight, sequence_);
        positions_ += static_cast<std::uint64_t>(alike.count());
        (replies - alike).for_each([&](int cell) {
            if (const char* reason = sequences_.replay_after(cell, fight, sequence_))
                throw Rejection("after the reply " + std::to_string(cell) + ": " + reason);
        });
    }

    void check_pairing(const Position<W>& position, Cursor& cursor) {
        expect(is_static_ && !claim_.wants_win, "a pairing only for a draw, in a game in which it is valid");
        Set free = rules_.board - (position.marks[X] | position.marks[O]);
        partners_.assign(static_cast<std::size_t>(rules_.game.cells), -1);
        while (!cursor.is_at_end()) {
            cursor.expect_letter(' ');
            const int a = cursor.number();
            cursor.expect_letter('-');
            const int b = cursor.number();
            expect(a != b && std::max(a, b) < rules_.game.cells && free.has(a) && free.has(b),
                   "pairs of different empty cells, each in one pair");
            free.remove(a);
            free.remove(b);
            partners_[a] = b;
            partners_[b] = a;
        }
        for_each_open_line(position, [&](const Cells& line) {
            const bool has_pair = std::ranges::any_of(line, [&](int cell) {
                return partners_[cell] >= 0 && std::ranges::find(line, partners_[cell]) != line.end();
            });
            expect(has_pair, "a pair on every line open to the opponent");
        });
    }

    void check_sum(const Position<W>& position) const {
        expect(is_static_ && !claim_.wants_win,
               "an Erdős–Selfridge sum only for a draw, in a game in which it is valid");
        std::uint64_t weight = 0;
        for_each_open_line(position, [&](const Cells& line) {
            const auto marked =
                std::ranges::count_if(line, [&](int cell) { return position.marks[opponent()].has(cell); });
            weight += std::uint64_t{1} << (longest_ - line.size() + static_cast<std::size_t>(marked));
        });
        if (position.turn() != claim_.side) weight *= 2;
        expect(weight < std::uint64_t{1} << longest_, "a smaller Erdős–Selfridge sum");
    }

    // Visits the lines without a mark of the prover and without one of the opponent on a guard.
    template <class Visit>
    void for_each_open_line(const Position<W>& position, Visit visit) const {
        const auto is_marked = [&](const Cells& cells, int side) {
            return std::ranges::any_of(cells, [&](int cell) { return position.marks[side].has(cell); });
        };
        for (const Line& line : rules_.game.lines)
            if (!is_marked(line.cells, claim_.side) && !is_marked(line.guards, opponent())) visit(line.cells);
    }

    void check_stealing(std::uint32_t node, const Position<W>& position) const {
        expect(is_free_ && !claim_.wants_win, "strategy stealing only for a draw, in a game in which it is valid");
        const bool is_empty = !position.marks[X].any();
        expect(node == 0 && is_empty && claim_.side == X, "strategy stealing only as X, on the empty board");
    }

    // The claim, the node, its line, and the moves to it from the first position, with symmetries undone.
    std::string place(std::uint32_t node) const {
        std::string text =
            claim_.name() + ", node " + std::to_string(node) + " (line " + std::to_string(claim_.line + node) + ")";
        std::vector<Arrival> steps;
        for (; arrivals_[node].parent != NOWHERE; node = arrivals_[node].parent) steps.push_back(arrivals_[node]);
        if (!steps.empty()) text += ", after cells";
        Cells turned = numbers(0, rules_.game.cells);
        for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
            text += ' ' + std::to_string(turned[step->cell]);
            if (step->symmetry < 0) continue;
            Cells next;
            for (const int cell : symmetries_[step->symmetry].cells) next.push_back(turned[cell]);
            turned = std::move(next);
        }
        return text;
    }

    const Rules<W>& rules_;
    const ProofText& text_;
    const Claim& claim_;
    const std::vector<Symmetry>&symmetries_, &inverses_;
    Sequences<W> sequences_;
    // Which arguments are valid: a side wins by completing a line and in no other way; also, every empty cell can be
    // played; also, a mark never hurts the side that makes it.
    bool has_sequences_ = false, is_static_ = false, is_free_ = false;
    std::size_t longest_ = 0;
    std::deque<Position<W>> reached_;
    std::vector<Arrival> arrivals_;
    std::vector<std::uint32_t> waiting_;
    std::uint64_t positions_ = 0;
    std::vector<int> sequence_, partners_;
    std::vector<std::pair<int, int>> dominations_;
};

// A win is one claim of the side to move, a loss one of the other side, a draw one of each side.
inline void check_claims(const std::vector<Claim>& claims, Value value, int mover) {
    if (value == Value::DRAW) {
        const bool both =
            claims.size() == 2 && claims[0].side != claims[1].side && !claims[0].wants_win && !claims[1].wants_win;
        return expect(both, "claim X draw and claim O draw for a draw");
    }
    const int winner = value == Value::WIN ? mover : 1 - mover;
    expect(claims.size() == 1 && claims[0].side == winner && claims[0].wants_win,
           "one claim, of the winner, for this value");
}

template <int W>
Report check_with(const ProofText& text, const Json& json, const Header& header) {
    const Rules<W> rules(header.game);
    const Position<W> start = PositionReader<W>(rules).read(header.position);
    const SymmetryReader reader(header.game);
    std::vector<Symmetry> symmetries, inverses;
    for (std::size_t item = json.begin(header.symmetries); item != json.end(header.symmetries);
         item = json.next(item)) {
        symmetries.push_back(reader.read(json, item));
        inverses.push_back(SymmetryReader::inverse(symmetries.back()));
    }
    const std::vector<Claim> claims = text.claims();
    check_claims(claims, header.value, start.turn());
    Report report{header.value, 0, 0};
    for (const Claim& claim : claims) {
        report.positions += Check<W>(rules, text, claim, symmetries, inverses).run(start);
        report.nodes += claim.nodes.size();
    }
    return report;
}

// Checks a whole file; throws Rejection or CannotCheck.
inline Report check_proof(std::string data) {
    const ProofText text(std::move(data));
    const Json json(text.header());
    const Header header = read_header(json);
    if (header.game.cells <= 64) return check_with<1>(text, json, header);
    if (header.game.cells <= 256) return check_with<4>(text, json, header);
    return check_with<MAX_CELLS / 64>(text, json, header);
}

}  // namespace checker
