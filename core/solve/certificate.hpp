// Writes what the proof search found as a certificate that others can check; docs/proofs.md describes the text.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "solve/proof_number_search.hpp"

namespace noughts {

// Walks from the search's position through the moves that decide, once through each position up to symmetry. What the
// table has lost is searched for again.
class Certificate {
  public:
    Certificate(ProofNumberSearch& search, WorkLimit& limit);

    // Each adds a claim, `claim X win` or `claim O draw` with its nodes; false when the limit ended it. The search
    // must be able to prove it, or std::logic_error is thrown.
    bool claim_win(Side prover) { return claim(prover, true); }
    bool claim_draw(Side prover) { return claim(prover, false); }
    // Strategy stealing: the first player does not lose.
    void claim_stolen_draw() { text_ += "claim X draw\nS\n"; }

    const std::string& text() const { return text_; }
    std::vector<Permutation> symmetries() const;  // those the references name, in order

  private:
    struct Spent {};
    struct Place {
        int node;
        int symmetry;  // leads from the node's position to the canonical one
    };

    bool claim(Side prover, bool win);
    void write_node(int node);
    void write_mover(int node);    // the prover is to move
    void write_replies(int node);  // the opponent is
    void add_edge(std::string& text, int cell, char separator);
    void add_reference(std::string& text, char separator);
    int symmetry_number(int here, int there);
    std::size_t count_forced(const std::vector<int>& attacks, bool at_once);
    bool wins_after(int reply, const std::vector<int>& attacks);
    std::vector<int> default_sequence();
    void leave_out_dominated(std::vector<int>& listed, std::vector<std::pair<int, int>>& dominated) const;
    int top_dominator(int cell) const;
    void add_forced(std::string& text, const std::vector<int>& attacks);
    void expect(bool holds, const char* what) const;

    ProofNumberSearch& search_;
    WorkLimit& limit_;
    Side prover_ = X;
    bool wants_win_ = false;
    std::string text_;
    std::vector<std::string> nodes_;
    std::map<std::vector<Word>, Place> places_;
    std::vector<int> used_;                       // symmetries, in the order of their numbers
    std::map<std::pair<int, int>, int> numbers_;  // of pairs of symmetries
    std::map<Permutation, int> elements_;
};

}  // namespace noughts
