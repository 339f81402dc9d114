// Certificates from an exhaustive search: moves are found again with the table of the solver.
#pragma once

#include <optional>

#include "solve/certificate_writer.hpp"
#include "solve/exhaustive_solver.hpp"
#include "tactics/forced_win.hpp"

namespace noughts {

class ExhaustiveCertificate final : public CertificateWriter {
  public:
    ExhaustiveCertificate(ExhaustiveSolver& solver, KeyedPosition& keyed, WorkLimit& limit, std::uint64_t most_nodes);

  private:
    void begin_claim() override;
    std::string write_node() override;
    std::string write_move();     // the prover is to move
    std::string write_replies();  // the opponent is
    bool holds();
    bool goal_is_met();
    bool has_forced_win();
    std::vector<Cell> default_sequence();
    int ending_move();  // as claimed, or NO_CELL
    int find_move();

    ExhaustiveSolver& solver_;
    std::optional<ForcedWin> forced_win_;  // in games in which forced sequences are valid
};

}  // namespace noughts
