#include "support/snapshot.hpp"

#include <string_view>

namespace noughts {
namespace {

// The last character but one is the version.
constexpr std::string_view magic_of(SnapshotKind kind) {
    return kind == SnapshotKind::BATCH ? "noughts batch 2\n" : "noughts solve 2\n";
}

}  // namespace

void SnapshotWriter::write_header(SnapshotKind kind, std::uint64_t game) {
    for (const char letter : magic_of(kind)) write(letter);
    write(static_cast<std::uint8_t>(kind));
    write(game);
}

void SnapshotWriter::flush() {
    if (!buffer_.empty()) sink_(buffer_);
    buffer_.clear();
}

void SnapshotReader::expect_header(SnapshotKind kind, std::uint64_t game) {
    const std::string_view magic = magic_of(kind);
    for (const char letter : magic)
        if (is_at_end() || static_cast<char>(next()) != letter)
            throw InvalidSnapshot("expected a " + what_ + " of version " + magic[magic.size() - 2] +
                                  ", got something else");
    const auto found_kind = read<std::uint8_t>();
    const auto found_game = read<std::uint64_t>();
    if (found_kind != static_cast<std::uint8_t>(kind) || found_game != game)
        throw InvalidSnapshot("expected a " + what_ + " of this game, got one of another");
}

void SnapshotReader::expect_end() {
    if (!is_at_end()) throw InvalidSnapshot("expected the end of the " + what_ + ", but more follows");
}

bool SnapshotReader::is_at_end() {
    if (at_ < size_) return false;
    at_ = 0;
    size_ = source_(buffer_);
    return size_ == 0;
}

void SnapshotReader::refill() {
    if (is_at_end()) throw InvalidSnapshot("expected a whole " + what_ + ", but it ends early");
}

}  // namespace noughts
