#include "solve/quiet_win/quiet_win_questions.hpp"

#include "solve/quiet_win/quiet_win_certificate.hpp"
#include "support/scoped_value.hpp"

namespace noughts {
namespace {

constexpr int LEAST_CELLS_OF_QUIET = 65;  // smaller boards are solved faster without this search

}  // namespace

void QuietWinQuestions::start_from(const Position& position) {
    position_ = position;
    answers_ = {{Answer::UNKNOWN, Answer::UNKNOWN}};
    for (auto& search : searches_) search.reset();
}

bool QuietWinQuestions::may_ask(Side attacker) const {
    const Game& game = position_.game();
    return answers_[attacker] == Answer::UNKNOWN && game.cells() >= LEAST_CELLS_OF_QUIET &&
           QuietWinSearch::supports(game);
}

Answer QuietWinQuestions::ask(Side attacker, std::uint64_t nodes, WorkLimit& limit) {
    auto& search = searches_[attacker];
    if (!search) search = std::make_unique<QuietWinSearch>(position_, megabytes_);
    const ScopedValue running(running_, attacker);
    limit.set_share(nodes);
    const ProofNumbers numbers = search->search(attacker, limit);
    limit.set_share(WorkLimit::UNLIMITED);
    if (numbers.is_proved())
        answers_[attacker] = Answer::YES;
    else if (numbers.is_solved() || search->is_full())
        answers_[attacker] = Answer::NO;
    return answers_[attacker];
}

void QuietWinQuestions::report(SolveProgress& progress) const {
    const QuietWinSearch& search = *searches_[running_];
    progress.attacker = running_;
    progress.numbers = search.root_numbers();
    for (const Cell move : search.path())
        if (move != NO_CELL) progress.path.push_back(move);
}

Certificate QuietWinQuestions::prove(Side attacker, WorkLimit& limit) {
    return QuietWinCertificate(*searches_[attacker], limit).write(MOST_CERTIFICATE_NODES);
}

}  // namespace noughts
