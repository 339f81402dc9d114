// Draws by the Maker-Breaker game: can a side stop all lines of the other?
#pragma once

#include "rules/symmetry.hpp"
#include "solve/breaker/breaker_search.hpp"
#include "solve/certificate/certificate_writer.hpp"
#include "solve/method.hpp"
#include "solve/parallel/search_team.hpp"

namespace noughts {

// For each side as the breaker: can it stop all lines of the other side? If it can, the other side cannot win the game.
// If it cannot, nothing follows.
class BreakerQuestions {
  public:
    // The symmetry and the table must outlive this object.
    BreakerQuestions(const Position& position, const Symmetry& symmetry, ProofTable& table, int threads);

    void start_from(const Position& position);

    // Whether the question is open for this breaker and worth asking.
    bool may_ask(Side breaker) const;
    bool was_asked() const { return team_.is_formed(); }
    // Searches for at most `nodes` nodes, continuing the last search. Returns YES if `breaker` can stop all lines,
    // UNKNOWN if the nodes did not suffice.
    Answer ask(Side breaker, std::uint64_t nodes, WorkLimit& limit);
    Answer answer(Side breaker) const { return answers_[breaker]; }
    // A move by which the side to move, for which the answer must be YES, keeps all lines stopped. NO_CELL if the limit
    // ended the search, or if the state is decided without one: then proof-number search finds a move at once.
    int find_move(WorkLimit& limit);

    bool is_running() const { return is_running_; }
    void report(SolveProgress& progress) const;
    // Extends the certificate of `earlier` by one claim `block` for each of the breakers.
    Certificate prove(const std::vector<Side>& breakers, const CertificateWriter& earlier, CertificateTask& task);

  private:
    Position position_;
    const Symmetry& symmetry_;
    ProofTable& table_;
    int threads_;
    SearchTeam<BreakerSearch> team_;  // formed when the first question is asked
    PerSide<Answer> answers_ = {{Answer::UNKNOWN, Answer::UNKNOWN}};
    bool is_running_ = false;
};

}  // namespace noughts
