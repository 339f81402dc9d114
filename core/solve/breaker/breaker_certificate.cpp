#include "solve/breaker/breaker_certificate.hpp"

#include <algorithm>

namespace noughts {

void BreakerCertificate::claim_breaker(Side prover) {
    search_.set_maker(opponent(prover));
    begin(prover, 0);
    std::string root;
    write_parts(1, [&](std::size_t) { add_state(root, ' ', search_.first_state()); });
    finish("block");
}

void BreakerCertificate::add_state(std::string& text, char separator, const BreakerState& state) {
    add_state(text, separator, state, [&] { return write_state(state); });
}

// Refers to the node of a state, and writes the node first if it is new. The key includes the side to move.
template <typename Write>
void BreakerCertificate::add_state(std::string& text, char separator, const BreakerState& state, Write&& write) {
    const BreakerSearch::Key key = search_.key_of(state);
    std::vector<Word> words(key.words.begin(), key.words.end());
    words.push_back(state.maker_moves());
    add_reference(text, separator, std::move(words), key.symmetry, write);
}

std::string BreakerCertificate::write_state(const BreakerState& state) {
    if (state.outcome() == BreakerState::Outcome::BREAKER_WINS) return "p";
    if (BreakerSearch::sum_is_low(state)) return "s";
    if (!state.maker_moves()) return write_move(state);
    if (const auto sets = search_.find_sets(state); !sets.empty()) return set_matching_text(sets);
    return write_replies(state);
}

std::string BreakerCertificate::write_move(const BreakerState& state) {
    int move = NO_CELL;
    for (const OpenLine& line : state.lines())
        if (!has_several(line.cells)) move = lowest(line.cells);
    if (move == NO_CELL) move = search_.decisive_move(state, limit_);
    expect_unlimited();
    if (move == NO_CELL) throw std::logic_error("expected a move that decides while writing a certificate");
    BreakerState after = state;
    after.play(move);
    std::string text(1, 'm');
    add_number(text, ' ', move);
    add_state(text, ' ', after);
    return text;
}

// Lists an answer for every reply of the maker that no other reply dominates; a dominated reply has the same answer as
// the reply that dominates it.
std::string BreakerCertificate::write_replies(const BreakerState& state) {
    const auto [answers, open] = search_.find_answers(state, limit_);
    expect_unlimited();
    Word listed = open;
    std::string text(1, 'r');
    for (const auto& answer : answers) {
        listed |= answer.moves;
        add_answer(text, state, answer);
    }
    std::vector<int> replies;
    for_each_bit(open, 0, [&](int reply) { replies.push_back(reply); });
    write_parts(replies.size(), [&](std::size_t i) {
        BreakerState after = state;
        after.play(replies[i]);
        add_number(text, ' ', replies[i]);
        add_state(text, ':', after);
    });
    for_each_bit(state.cells() & ~listed, 0, [&](int reply) {
        add_number(text, ' ', reply);
        add_number(text, '<', lowest(state.common_cells(reply) & listed));
    });
    return text;
}

void BreakerCertificate::add_answer(std::string& text, const BreakerState& state, const BreakerSearch::Answer& answer) {
    char separator = ' ';
    for_each_bit(answer.moves, 0, [&](int move) {
        add_number(text, separator, move);
        separator = '+';
    });
    BreakerState given = state;
    given.give(answer.moves);
    BreakerState after = given;
    after.play_breaker(answer.reply);
    add_state(text, ':', given, [&] {
        std::string move(1, 'm');
        add_number(move, ' ', answer.reply);
        add_state(move, ' ', after, [&] { return set_matching_text(answer.sets); });
        return move;
    });
}

}  // namespace noughts
