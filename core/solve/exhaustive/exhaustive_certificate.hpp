// Certificates from an exhaustive search: moves are found again with the table of the solver.
//
// Any move that reaches the goal may be written, so those are preferred that end soon in an argument: in games with
// gravity, a search for the smallest proof looks a few nodes ahead.
#pragma once

#include <map>
#include <optional>

#include "solve/certificate/certificate_writer.hpp"
#include "solve/exhaustive/exhaustive_solver.hpp"
#include "solve/exhaustive/strategy_search.hpp"
#include "tactics/forced_win.hpp"

namespace noughts {

class ExhaustiveCertificate final : public CertificateWriter {
  public:
    ExhaustiveCertificate(ExhaustiveSolver& solver, CanonicalPosition& keyed, WorkLimit& limit,
                          std::uint64_t most_nodes);

  private:
    // How a position is proved. Cells are those of its canonical image.
    struct Plan {
        bool is_expanded = false;
        char leaf = 0;  // 'm', 'f' or 'g', with its items; 0 for none
        std::vector<Cell> items;
        std::vector<Cell> moves;  // the prover's that reach the goal, or the replies that need an answer of their own
        std::optional<std::vector<Cell>> default_sequence;
        int size = 0;         // nodes of the smallest proof found, or 0
        int more_than = 0;    // no proof with so few nodes was found
        Cell best = NO_CELL;  // the prover's move of that proof
    };
    struct Here {
        Plan& plan;
        int symmetry;  // leads to the canonical image
    };

    void begin_claim() override;
    std::string write_node() override;
    std::string write_leaf(const Here& here);
    std::string write_move(const Here& here);     // the prover is to move
    std::string write_replies(const Here& here);  // the opponent is
    bool holds();
    bool goal_is_met();

    Here plan_here();
    bool find_leaf(const Here& here);
    void expand(const Here& here);
    void list_moves(const Here& here);
    void list_replies(const Here& here);
    int find_size(int most);
    int size_of_best_move(const Here& here, int most);
    int size_of_replies(const Here& here, int most);
    int least_size();
    Cell choose_move(const Here& here);

    ExhaustiveSolver& solver_;
    std::optional<ForcedWin> forced_win_;       // in games in which forced sequences are valid
    std::optional<StrategySearch> strategies_;  // in games with gravity in which fixed strategies are valid
    std::map<std::vector<Word>, Plan> plans_;
};

}  // namespace noughts
