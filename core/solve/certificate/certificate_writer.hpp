// Writes the text of certificates, which docs/proof-format.md describes: claims, their nodes, and references between
// nodes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rules/canonical_position.hpp"
#include "support/work_limit.hpp"

namespace noughts {

struct Certificate {
    std::string text;
    std::vector<Permutation> symmetries;  // the symmetries that references name, by number
};

// The claim that `prover` wins (goal 1) or does not lose (goal 0).
struct Claim {
    Side prover;
    int goal;
    bool is_stolen = false;  // the first player does not lose, by strategy stealing: needs no walk
};
using Claims = std::vector<Claim>;

struct CertificateProgress {
    std::uint64_t nodes = 0;  // written so far, including those of earlier claims
    double seconds = 0;
    // The part of the walk that is done, from 0 to 1, on the assumption that all replies at a node take the same work.
    double walked = 0;
};

// Thrown when no certificate can be written; the message says why.
class CertificateError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// Walks from a position along moves that keep a claim, and writes a node for each position, once for all positions that
// are symmetric to each other. Each method of solving derives a class from this, which writes the nodes from its table.
class CertificateWriter {
  public:
    virtual ~CertificateWriter() = default;

    // Divides the progress evenly between the claims that need a walk. Must be called before the first `add`.
    void expect_claims(const Claims& claims);
    // Adds a claim and its nodes. Throws CertificateError if the claim does not hold or needs too many nodes, and
    // Interrupted if the limit ends the work.
    void add(const Claim& claim);
    // Adds all claims and returns the certificate.
    const Certificate& write(const Claims& claims);

    const Certificate& certificate() const { return certificate_; }
    CertificateProgress progress() const { return {written_ + lines_.size(), limit_.seconds(), walked_}; }

  protected:
    // The walk starts from the position of `canonical`, and leaves it there.
    CertificateWriter(CanonicalPosition& canonical, WorkLimit& limit, std::uint64_t most_nodes)
        : canonical_(canonical), limit_(limit), most_nodes_(most_nodes) {}
    // Continues the certificate of another writer.
    CertificateWriter(const CertificateWriter& earlier, std::uint64_t most_nodes)
        : canonical_(earlier.canonical_),
          limit_(earlier.limit_),
          most_nodes_(most_nodes),
          written_(earlier.written_),
          walked_(earlier.walked_),
          part_(earlier.part_),
          certificate_(earlier.certificate_) {}

    // `begin` starts a claim; `finish` adds the claim, of the kind `what`, and the nodes written since then to the
    // certificate.
    void begin(Side prover, int goal);
    void finish(const char* what);
    virtual void begin_claim() {}
    // Returns the text of the node for the current position, which is not over. Throws CertificateError if the position
    // does not support the claim.
    virtual std::string write_node() = 0;

    Position& position() { return canonical_.position(); }
    // Plays the cell, returns `visit()`, and takes the move back.
    template <typename Visit>
    auto after(int cell, Visit&& visit);
    bool has_node();  // whether the current position already has a node
    std::vector<int> legal_moves();
    // A move to a position that already has a node of this claim, and so needs no new ones; NO_CELL if there is none.
    int move_to_written_node();
    // Adds a move and a reference to the node it leads to (`12:34`), or the move alone if it ends the game.
    void add_edge(std::string& text, int cell, char separator);
    // Calls `write(i)` for each of the `count` parts of a node. Each part counts the same in the progress.
    template <typename Write>
    void write_parts(std::size_t count, Write&& write);
    // Adds an edge for each reply of the opponent.
    void add_replies(std::string& text, const std::vector<int>& replies);
    static void add_number(std::string& text, char before, int number);
    std::string forced_win_text(const std::vector<Cell>& attacks);  // the prover is to move
    static std::string set_matching_text(const std::vector<std::vector<int>>& sets);
    static void add_default(std::string& text, const std::vector<Cell>& sequence);
    // Adds a reference to the node with this key: `12`, or `12/3` with a symmetry. If there is no such node, `write()`
    // returns its text. `symmetry` maps the current position to its canonical image.
    void add_reference(std::string& text, char separator, std::vector<Word> key, int symmetry,
                       const std::function<std::string()>& write);
    void expect_unlimited() const {
        if (limit_.is_spent()) throw Interrupted{};
    }

    CanonicalPosition& canonical_;
    WorkLimit& limit_;
    Side prover_ = X;
    int goal_ = 0;

  private:
    struct Node {
        int number;
        int symmetry;  // maps the node's position to the canonical one
    };

    void add_reference(std::string& text, char separator);
    int symmetry_number(int here, int there);

    std::uint64_t most_nodes_;
    std::uint64_t written_ = 0;     // nodes of earlier claims
    double walked_ = 0, part_ = 1;  // progress at the current node, and the part of the walk that the node stands for
    Certificate certificate_;
    std::vector<std::string> lines_;  // texts of the nodes of the current claim
    std::map<std::vector<Word>, Node> nodes_;
    std::map<std::pair<int, int>, int> numbers_;  // numbers given to pairs of symmetries
};

// The work on a certificate, with the writer that is active, for progress reports.
struct CertificateTask {
    WorkLimit& limit;
    const CertificateWriter* writer = nullptr;

    Certificate run(CertificateWriter&& with, const Claims& claims) {
        writer = &with;
        return with.write(claims);
    }
};

template <typename Write>
void CertificateWriter::write_parts(std::size_t count, Write&& write) {
    const double whole = part_, before = walked_;
    part_ = whole / static_cast<double>(count);
    for (std::size_t i = 0; i < count; ++i) {
        write(i);
        walked_ = before + part_ * static_cast<double>(i + 1);
    }
    part_ = whole;
}

template <typename Visit>
auto CertificateWriter::after(int cell, Visit&& visit) {
    struct Played {
        CanonicalPosition& canonical;
        ~Played() { canonical.undo(); }
    };
    canonical_.play(cell);
    const Played played{canonical_};
    return visit();
}

}  // namespace noughts
