// Replays forced sequences: each move of the prover leaves the opponent one reply, until no reply helps.
#pragma once

#include "fight.hpp"

template <std::size_t N>
struct Sequence {
    using Set = std::bitset<N>;

    Cells moves;
    std::uint64_t positions = 0;  // that were visited

    // Replays after a reply of the opponent; rejects a sequence that does not win.
    void replay_after(int reply, Fight<N> fight) {
        expect(!fight.threats()[reply], "a reply that does not win, but it completes a line");
        ++positions;
        fight.mark_other(reply);
        replay(fight, true);
    }

    // Replays with the prover to move. With `at_once` the first line that can be completed ends the sequence;
    // otherwise every move must be played.
    void replay(Fight<N> fight, bool at_once) {
        for (std::size_t i = 0; i < moves.size(); ++i) {
            Set wins = fight.wins();
            if (at_once && wins.any()) return;
            const int cell = moves[i];
            expect(cell < fight.rules->game.cells && fight.playable[cell], "a legal move in the sequence");
            ++positions;
            bool has_ended = wins[cell];
            fight.mark_own(cell);
            if (!has_ended) {
                expect(fight.threats().none(), "no line open to the opponent, but one can be completed");
                wins = fight.wins();
                expect(wins.any(), "a move that threatens a line");
                has_ended = !has_at_most<1>(wins);
            }
            if (has_ended) return expect(at_once || i + 1 == moves.size(), "the sequence to end earlier");
            ++positions;
            fight.mark_other(first_of(wins));
        }
        expect(fight.wins().any(), "a sequence that ends in a win, but it stops before");
    }

    // Replies after which the same moves win as if the opponent had passed; not necessarily all of them.
    Set indifferent(Fight<N> fight) const {
        const Rules<N>& rules = *fight.rules;
        if (!rules.is_monotone()) return {};
        Set relevant = fight.fears;
        for (const auto& line : rules.lines)
            fight.template add_missing<2>(line.cells, fight.other, fight.own, relevant);
        Set replies = fight.free & ~relevant;
        for (const int cell : moves) {
            if (fight.hopes.any()) break;
            if (cell >= rules.game.cells || !fight.free[cell]) return {};
            fight.mark_own(cell);
            const Set wins = fight.hopes;
            if (fight.fears.any() || wins.none()) return {};
            replies.reset(cell);
            replies &= ~wins;
            if (!has_at_most<1>(wins)) return replies;
            const int forced = first_of(wins);
            fight.mark_other(forced);
            Set near;
            for (const std::size_t line : rules.through[forced])
                fight.template add_missing<2>(rules.lines[line].cells, fight.other, fight.own, near);
            replies &= ~near;
        }
        return fight.hopes.any() ? replies & ~fight.hopes : Set{};
    }
};
