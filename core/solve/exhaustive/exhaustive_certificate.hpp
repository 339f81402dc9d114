// Writes certificates from an exhaustive search; moves are looked up in the solver's table, or searched again.
//
// Any move that reaches the goal would do. The writer prefers moves that soon lead to an argument without search: in
// games with gravity it looks a few nodes ahead for the smallest proof.
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
    ExhaustiveCertificate(ExhaustiveSolver& solver, CanonicalPosition& canonical, WorkLimit& limit,
                          std::uint64_t most_nodes);

  private:
    // The proof of a position. Cells are those of the canonical image.
    struct Plan {
        bool is_expanded = false;
        char leaf = 0;  // kind of leaf, 'm', 'f' or 'g', with `items`; 0 for an inner node
        std::vector<Cell> items;
        std::vector<Cell> moves;  // the prover's moves that reach the goal, or the replies that need a node
        std::optional<std::vector<Cell>> default_sequence;
        int size = 0;         // nodes of the smallest proof found; 0 if none was found
        int more_than = 0;    // no proof of at most this many nodes was found
        Cell best = NO_CELL;  // the prover's first move in the smallest proof
    };
    struct Here {
        Plan& plan;
        int symmetry;  // maps the position to its canonical image
    };

    void begin_claim() override;
    std::string write_node() override;
    std::string write_leaf(const Here& here);
    std::string write_move(const Here& here);     // when the prover is to move
    std::string write_replies(const Here& here);  // when the opponent is to move
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
