// Claims `block` of certificates, from a search of the Maker-Breaker game. What the table has lost is searched for
// again.
#pragma once

#include <string>
#include <vector>

#include "solve/breaker/blocking_search.hpp"
#include "solve/certificate/certificate_writer.hpp"

namespace noughts {

class BlockingCertificate final : public CertificateWriter {
  public:
    // Adds to the claims of an earlier writer.
    BlockingCertificate(BlockingSearch& search, const CertificateWriter& earlier)
        : CertificateWriter(earlier, WorkLimit::UNLIMITED), search_(search) {}

    // That `prover` keeps the other side from completing any line.
    void claim_block(Side prover);

  private:
    std::string write_node() override { return write_state(search_.first_state()); }
    std::string write_state(const BlockingState& state);
    std::string write_move(const BlockingState& state);
    std::string write_replies(const BlockingState& state);
    void add_answer(std::string& text, const BlockingState& state, const BlockingSearch::Answer& answer);
    void add_state(std::string& text, char separator, const BlockingState& state);
    template <typename Write>
    void add_state(std::string& text, char separator, const BlockingState& state, Write&& write);

    BlockingSearch& search_;
};

}  // namespace noughts
