#include "solve/certificate/certificate_writer.hpp"

#include <algorithm>

#include "tactics/forced_sequence.hpp"

namespace noughts {

void CertificateWriter::add_number(std::string& text, char before, int number) {
    text.push_back(before);
    text.append(std::to_string(number));
}

std::string CertificateWriter::forced_win_text(const std::vector<Cell>& attacks) {
    const std::size_t count = count_forced(position(), attacks, false);
    if (count == 0) throw std::logic_error("expected a forced win that can be replayed while writing a certificate");
    std::string text(1, 'f');
    for (std::size_t i = 0; i < count; ++i) add_number(text, ' ', attacks[i]);
    return text;
}

std::string CertificateWriter::set_matching_text(const std::vector<std::vector<int>>& sets) {
    const bool are_pairs = std::ranges::all_of(sets, [](const auto& set) { return set.size() == 2; });
    std::string text(1, are_pairs ? 'p' : 't');
    for (const auto& set : sets)
        for (std::size_t i = 0; i < set.size(); ++i) add_number(text, i == 0 ? ' ' : '-', set[i]);
    return text;
}

void CertificateWriter::add_default(std::string& text, const std::vector<Cell>& sequence) {
    text.append(" =");
    for (const Cell cell : sequence) add_number(text, ' ', cell);
}

void CertificateWriter::begin(Side prover, int goal) {
    prover_ = prover;
    goal_ = goal;
    nodes_.clear();
    begin_claim();
}

void CertificateWriter::finish(const char* what) {
    certificate_.text.append("claim ").append(prover_ == X ? "X " : "O ").append(what).append("\n");
    for (const auto& line : lines_) certificate_.text.append(line).append("\n");
    written_ += lines_.size();
    lines_.clear();
}

void CertificateWriter::expect_claims(const Claims& claims) {
    part_ = 1.0 / static_cast<double>(std::ranges::count(claims, false, &Claim::is_stolen));
}

void CertificateWriter::add(const Claim& claim) {
    if (claim.is_stolen) {
        certificate_.text += "claim X draw\nS\n";
        return;
    }
    begin(claim.prover, claim.goal);
    std::string root;
    write_parts(1, [&](std::size_t) { add_reference(root, ' '); });
    finish(claim.goal == 1 ? "win" : "draw");
}

const Certificate& CertificateWriter::write(const Claims& claims) {
    expect_claims(claims);
    for (const Claim& claim : claims) add(claim);
    return certificate_;
}

bool CertificateWriter::has_node() {
    std::vector<Word> key(canonical_.key_words());
    canonical_.write_key(key);
    return nodes_.contains(key);
}

std::vector<int> CertificateWriter::legal_moves() {
    std::vector<int> moves;
    position().for_each_legal([&](int cell) { moves.push_back(cell); });
    return moves;
}

int CertificateWriter::move_to_written_node() {
    for (const int cell : legal_moves())
        if (after(cell, [&] { return !position().is_over() && has_node(); })) return cell;
    return NO_CELL;
}

void CertificateWriter::add_edge(std::string& text, int cell, char separator) {
    add_number(text, ' ', cell);
    after(cell, [&] {
        if (!position().is_over()) add_reference(text, separator);
    });
}

void CertificateWriter::add_replies(std::string& text, const std::vector<int>& replies) {
    write_parts(replies.size(), [&](std::size_t i) { add_edge(text, replies[i], ':'); });
}

// Refers to the node of the current position, and writes the node first if it is new.
void CertificateWriter::add_reference(std::string& text, char separator) {
    std::vector<Word> key(canonical_.key_words());
    const int symmetry = canonical_.write_key(key);
    add_reference(text, separator, std::move(key), symmetry, [this] { return write_node(); });
}

void CertificateWriter::add_reference(std::string& text, char separator, std::vector<Word> key, int symmetry,
                                      const std::function<std::string()>& write) {
    const auto [found, is_new] = nodes_.try_emplace(std::move(key), Node{static_cast<int>(lines_.size()), symmetry});
    const Node node = found->second;
    if (is_new) {
        if (lines_.size() >= most_nodes_)
            throw CertificateError("no certificate: too large, more than " + std::to_string(most_nodes_) + " nodes");
        limit_.count_node();
        limit_.poll();
        expect_unlimited();
        lines_.emplace_back();
        std::string line = write();
        lines_[node.number] = std::move(line);
    }
    add_number(text, separator, node.number);
    if (node.symmetry != symmetry) add_number(text, '/', symmetry_number(symmetry, node.symmetry));
}

// The number of the symmetry that maps the position `there` to the position `here`. The arguments are the symmetries
// that map each of them to the canonical position.
int CertificateWriter::symmetry_number(int here, int there) {
    const auto [found, is_new] = numbers_.try_emplace({here, there}, 0);
    if (!is_new) return found->second;
    Permutation combined(canonical_.symmetries()[there].size());
    for (std::size_t cell = 0; cell < combined.size(); ++cell)
        combined[cell] =
            static_cast<std::uint16_t>(canonical_.cell_of(here, canonical_.image_of(there, static_cast<int>(cell))));
    auto& used = certificate_.symmetries;
    const auto at = std::ranges::find(used, combined);
    found->second = static_cast<int>(at - used.begin());
    if (at == used.end()) used.push_back(combined);
    return found->second;
}

}  // namespace noughts
