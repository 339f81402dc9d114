// Games that are won by lines: positions with the cells that complete one, forced sequences and fixed strategies.
#pragma once

#include <unordered_set>

#include "rules.hpp"

// A position with the cells that complete lines.
template <std::size_t N>
struct Fight {
    // `hopes` are the cells that would complete a line of the prover, `fears` those that would complete one of the
    // opponent, both regardless of guards and of gravity; `playable` are the empty cells that rest on filled ones.
    const Rules<N>* rules;
    Set<N> own, other, free, playable, hopes, fears;

    Fight(const Rules<N>& game, const Position<N>& position, int prover)
        : rules(&game), own(position.marks[prover]), other(position.marks[1 - prover]) {
        expect(rules->wins_by_lines(), "a game in which the first complete line wins");
        free = rules->board & ~(own | other);
        playable = rules->playable(free);
        hopes = fears = rules->lone_cells & free;  // a line that lacks one of several cells has a mark
        for_each(own, [&](int cell) { add_missing_through(cell, own, other, hopes); });
        for_each(other, [&](int cell) { add_missing_through(cell, other, own, fears); });
    }

    // The cells that complete a line now, of the prover or of the opponent.
    Set<N> wins() const { return completing(hopes & playable, own); }
    Set<N> threats() const { return completing(fears & playable, other); }

    Fight& mark_own(int cell) { return mark(cell, own, other, hopes); }
    Fight& mark_other(int cell) { return mark(cell, other, own, fears); }

    // Adds the cells that a side lacks on a line without marks of the other side, if it lacks at most `LIMIT`.
    template <int LIMIT>
    static void add_missing(const Set<N>& line, const Set<N>& own, const Set<N>& other, Set<N>& found) {
        const Set<N> rest = line & ~own;
        const bool counts = static_cast<int>((line & other).none()) & has_at_most<LIMIT>(rest);
        found |= counts ? rest : Set<N>();  // without a branch, which would be hard to predict
    }

  private:
    Fight& mark(int cell, Set<N>& mine, const Set<N>& yours, Set<N>& missing) {
        mine[cell] = true;
        for (Set<N>* set : {&free, &playable, &hopes, &fears}) (*set)[cell] = false;
        for (const int above : rules->above[cell]) playable[above] = free[above] && (rules->below[above] & free).none();
        add_missing_through(cell, mine, yours, missing);
        return *this;
    }

    void add_missing_through(int cell, const Set<N>& mine, const Set<N>& yours, Set<N>& missing) const {
        for (const std::size_t line : rules->through[cell])
            add_missing<1>(rules->lines[line].cells, mine, yours, missing);
    }

    // Those of the cells that complete a line that no guard spoils.
    Set<N> completing(const Set<N>& cells, const Set<N>& marks) const {
        if (!rules->has_guards) return cells;
        Set<N> found;
        for_each(cells, [&](int cell) { found[cell] = rules->completes(Set<N>(marks).set(cell), cell); });
        return found;
    }
};

// The cells in which extra marks of the opponent could spoil a win, see docs/proof-soundness.md: a set for each
// tolerance from 1.
template <std::size_t N>
struct Zone {
    std::vector<Set<N>> sets;

    void add(const Set<N>& cells) {
        for (Set<N>& set : sets) set |= cells;
    }

    // Adds the empty cells of a line open to the opponent, at tolerance t if there are at most t + 1 of them.
    void add_line(const LineSets<N>& line, const Set<N>& own, const Set<N>& other) {
        if ((line.cells & own).any() || (line.guards & other).any()) return;
        const Set<N> rest = line.cells & ~other;
        for (std::size_t i = std::max<std::size_t>(rest.count(), 2) - 2; i < sets.size(); ++i) sets[i] |= rest;
    }

    void add_lines(const Rules<N>& rules, const Set<N>& own, const Set<N>& other) {
        for (const auto& line : rules.lines) add_line(line, own, other);
    }
};

// A forced sequence: each move of the prover leaves the opponent one reply, until no reply helps.
template <std::size_t N>
struct Sequence {
    Cells moves;
    std::uint64_t positions = 0;  // that were visited

    explicit Sequence(Cursor& in) {
        moves.reserve(16);  // more than most have
        while (in.accept(' ')) moves.push_back(in.number());
    }

    // Replays after a reply of the opponent; rejects a sequence that does not win.
    void replay_after(int reply, Fight<N> fight) {
        expect(!fight.threats()[reply], "a reply that does not win, but it completes a line");
        ++positions;
        expect_win(fight.mark_other(reply), true);
    }

    // Replays after each of the replies, except for those that cannot affect the sequence; returns their number.
    std::size_t replay_after_each(const Set<N>& replies, const Fight<N>& fight) {
        const Set<N> alike = replies & indifferent(fight);
        for_each(replies & ~alike, [&](int cell) { replay_after(cell, fight); });
        return alike.count();
    }

    // Adds the cells that matter to the sequence to a zone; returns whether it wins.
    bool add_zone(const Fight<N>& fight, bool at_once, Zone<N>& zone) {
        return !replay(fight, at_once, nullptr, &zone);
    }

    void expect_win(const Fight<N>& fight, bool at_once) {
        if (const char* reason = replay(fight, at_once)) reject(reason);
    }

    // Replies after which the same moves win as if the opponent had passed; not necessarily all of them.
    Set<N> indifferent(const Fight<N>& fight) const {
        Set<N> relevant = fight.fears;
        for (const auto& line : fight.rules->lines)
            fight.template add_missing<2>(line.cells, fight.other, fight.own, relevant);
        const bool wins = fight.rules->is_monotone() && !Sequence(*this).replay(fight, true, &relevant);
        return wins ? fight.free & ~relevant : Set<N>();
    }

  private:
    // Replays with the prover to move; returns null if it wins, otherwise what was expected. With `at_once` the first
    // line that can be completed ends the sequence; otherwise every move must be played. Adds `relevant` replies: those
    // that would take a cell that the sequence uses, or lie on a line of which the opponent lacks at most two cells.
    // Adds to the `zone`: such cells by tolerance, but lines only as they are when the opponent is to move.
    const char* replay(Fight<N> fight, bool at_once, Set<N>* relevant = nullptr, Zone<N>* zone = nullptr) {
        int forced = -1;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            Set<N> wins = fight.wins();
            if (at_once && wins.any()) break;
            const int cell = moves[i];
            if (cell >= fight.rules->game.cells || !fight.playable[cell]) return "a legal move in the sequence";
            ++positions;
            bool has_ended = wins[cell];
            fight.mark_own(cell);
            if (zone) zone->add(Set<N>().set(cell));
            if (!has_ended) {
                if (fight.threats().any()) return "no line open to the opponent, but one can be completed";
                wins = fight.wins();
                if (wins.none()) return "a move that threatens a line";
                has_ended = !has_at_most<1>(wins);
                if (zone) add_to(*zone, fight, wins, forced);
            }
            if (relevant) *relevant |= Set<N>(wins).set(cell);
            if (has_ended) return at_once || i + 1 == moves.size() ? nullptr : "the sequence to end earlier";
            ++positions;
            forced = first_of(wins);
            fight.mark_other(forced);
            if (relevant)
                for (const std::size_t line : fight.rules->through[forced])
                    fight.template add_missing<2>(fight.rules->lines[line].cells, fight.other, fight.own, *relevant);
        }
        if (relevant) *relevant |= fight.wins();
        if (zone) zone->add(fight.wins());
        return fight.wins().any() ? nullptr : "a sequence that ends in a win, but it stops before";
    }

    // Adds the cells that complete a line of the prover, and lines of the opponent; after the first move these can lack
    // fewer cells than before only if the opponent's last reply is on them.
    static void add_to(Zone<N>& zone, const Fight<N>& fight, const Set<N>& wins, int last_reply) {
        const Rules<N>& rules = *fight.rules;
        zone.add(wins);
        if (last_reply < 0) return zone.add_lines(rules, fight.own, fight.other);
        for (const std::size_t line : rules.through[last_reply])
            zone.add_line(rules.lines[line], fight.own, fight.other);
    }
};

// A fixed strategy of the prover, played out against every reply.
template <std::size_t N>
class FixedStrategy {
  public:
    FixedStrategy(const Rules<N>& rules, Cursor& in, bool wants_win) : wants_win_(wants_win) {
        const int cells = rules.game.cells;
        most_positions_ = std::min(MAX_POSITIONS, MAX_REPLIES / cells);
        while (in.accept(' ')) {
            const int a = in.number(), b = in.accept('-') ? in.number() : -1;
            expect(std::max(a, b) < cells && a != b, "items of cells or of pairs of different cells");
            expect(items_.size() < MAX_ITEMS, "at most 4096 items");
            items_.emplace_back(a, b < 0 ? a : b);
        }
        for (int cell = 0; cell < cells; ++cell) items_.emplace_back(cell, cell);
    }

    // Returns the number of positions with the opponent to move.
    std::size_t play_out(const Fight<N>& start, bool is_prover_to_move) {
        is_prover_to_move ? answer(start) : enqueue(start);
        while (!waiting_.empty()) {
            const Fight<N> fight = waiting_.back();
            waiting_.pop_back();
            expect(fight.threats().none(), "a strategy that stops every line");
            for_each(fight.playable, [&](int reply) { answer(Fight<N>(fight).mark_other(reply)); });
        }
        return tried_.size();
    }

  private:
    static constexpr int MAX_POSITIONS = 1 << 14, MAX_REPLIES = 1 << 20, MAX_ITEMS = 4096;

    using Marks = std::pair<Set<N>, Set<N>>;

    struct Hash {
        std::size_t operator()(const Marks& marks) const { return hash(marks.first) * 31 + hash(marks.second); }
        static std::size_t hash(const Set<N>& set) { return std::hash<Set<N>>()(set); }
    };

    // Adds a position with the opponent to move to those to try.
    void enqueue(const Fight<N>& fight) {
        if (fight.free.none()) return expect(!wants_win_, "a strategy that wins before the board is full");
        if (tried_.emplace(fight.own, fight.other).second) waiting_.push_back(fight);
        expect(tried_.size() <= most_positions_, "fewer positions of a strategy");
    }

    // Plays the prover's move.
    void answer(const Fight<N>& fight) {
        if (fight.wins().any()) return;
        if (fight.free.none()) return enqueue(fight);
        const Set<N> threats = fight.threats();
        expect(has_at_most<1>(threats), "a strategy that faces at most one threat");
        if (threats.any()) return enqueue(Fight<N>(fight).mark_own(first_of(threats)));
        for (const auto& [a, b] : items_)
            for (const auto& [cell, partner] : {std::pair(a, b), std::pair(b, a)}) {
                if (!fight.playable[cell] || (cell != partner && fight.free[partner])) continue;
                const Fight<N> next = Fight<N>(fight).mark_own(cell);
                if (next.threats().none()) return enqueue(next);
            }
        reject("a strategy with an item that applies and is safe");
    }

    bool wants_win_;
    std::size_t most_positions_;
    std::vector<std::pair<int, int>> items_;
    std::unordered_set<Marks, Hash> tried_;
    std::vector<Fight<N>> waiting_;
};
