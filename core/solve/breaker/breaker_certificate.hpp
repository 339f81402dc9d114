// Writes the claims `block` of certificates from a search of the Maker-Breaker game. States whose table entries were
// replaced are searched again.
#pragma once

#include <string>
#include <vector>

#include "solve/breaker/breaker_search.hpp"
#include "solve/certificate/certificate_writer.hpp"

namespace noughts {

class BreakerCertificate final : public CertificateWriter {
  public:
    // Continues the certificate of `earlier`.
    BreakerCertificate(BreakerSearch& search, const CertificateWriter& earlier)
        : CertificateWriter(earlier, WorkLimit::UNLIMITED), search_(search) {}

    // Adds the claim that `prover` keeps the other side from completing any line.
    void claim_breaker(Side prover);

  private:
    std::string write_node() override { return write_state(search_.first_state()); }
    std::string write_state(const BreakerState& state);
    std::string write_move(const BreakerState& state);
    std::string write_replies(const BreakerState& state);
    void add_answer(std::string& text, const BreakerState& state, const BreakerSearch::Answer& answer);
    void add_state(std::string& text, char separator, const BreakerState& state);
    template <typename Write>
    void add_state(std::string& text, char separator, const BreakerState& state, Write&& write);

    BreakerSearch& search_;
};

}  // namespace noughts
