// Draws by the Maker-Breaker game: can a side stop all lines of the other?
#pragma once

#include "rules/symmetry.hpp"
#include "solve/breaker/breaker_search.hpp"
#include "solve/certificate/certificate_writer.hpp"
#include "solve/method.hpp"
#include "solve/parallel/search_team.hpp"

namespace noughts {

// The two questions of a position, one for each side as the maker, and the searches that answer them. If the breaker
// stops all lines, the maker cannot win. If it does not, nothing follows.
class BreakerQuestions {
  public:
    // The symmetry and the table must outlive this.
    BreakerQuestions(const Position& position, const Symmetry& symmetry, ProofTable& table, int threads);

    void start_from(const Position& position);

    // Whether it is unknown, and makes sense to try, if `breaker` can stop all lines of the other side.
    bool may_ask(Side breaker) const;
    bool was_asked() const { return team_.is_formed(); }
    // Continues the search for this many nodes. YES if `breaker` stops all lines.
    Answer ask(Side breaker, std::uint64_t nodes, WorkLimit& limit);
    Answer answer(Side breaker) const { return answers_[breaker]; }
    // A move of the side to move, which must have the answer YES, that keeps all lines stopped. NO_CELL if the position
    // is decided without a search, where proof-number search finds a move at once, or the limit ended the search.
    int find_move(WorkLimit& limit);

    bool is_running() const { return is_running_; }
    void report(SolveProgress& progress) const;
    // Adds to the certificate of `earlier` that each of these sides stops all lines of the other.
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
