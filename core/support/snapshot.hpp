// Tables of a solver, or batches of playthroughs, as bytes: numbers of fixed width, the lowest byte first on every
// machine.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace noughts {

// Thrown for a snapshot that ends early, belongs to another game or has invalid contents; the message says which.
class InvalidSnapshot : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// The contents of a snapshot.
enum class SnapshotKind : std::uint8_t { PROOF_NUMBERS = 1, VALUES = 2, BATCH = 3, NARROW_WINS = 4 };

class SnapshotWriter {
  public:
    // Receives the bytes in large pieces. An exception from it ends the save.
    using Sink = std::function<void(std::span<const char> bytes)>;

    explicit SnapshotWriter(Sink sink) : sink_(std::move(sink)) {}

    template <typename Value>
    void write(Value value) {
        for (std::size_t i = 0; i < sizeof value; ++i)
            buffer_.push_back(static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i) & 0xff));
        if (buffer_.size() >= PIECE) flush();
    }
    // Writes the header; `game` is Game::fingerprint.
    void write_header(SnapshotKind kind, std::uint64_t game);
    // Writes the remaining bytes. Must be called once, at the end.
    void flush();

  private:
    static constexpr std::size_t PIECE = 1 << 20;

    Sink sink_;
    std::vector<char> buffer_;
};

class SnapshotReader {
  public:
    // Fills `room` as far as possible and returns the number of bytes; 0 at the end.
    using Source = std::function<std::size_t(std::span<char> room)>;

    // `what` names the contents in error messages.
    explicit SnapshotReader(Source source, std::string what = "solve")
        : source_(std::move(source)), what_("saved " + std::move(what)), buffer_(PIECE) {}

    // Throws InvalidSnapshot if the bytes end before the value.
    template <typename Value>
    Value read() {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < sizeof(Value); ++i) value |= static_cast<std::uint64_t>(next()) << (8 * i);
        return static_cast<Value>(value);
    }
    void expect_header(SnapshotKind kind, std::uint64_t game);
    void expect_end();

  private:
    static constexpr std::size_t PIECE = 1 << 20;

    unsigned char next() {
        if (at_ == size_) refill();
        return static_cast<unsigned char>(buffer_[at_++]);
    }
    bool is_at_end();
    void refill();

    Source source_;
    std::string what_;
    std::vector<char> buffer_;
    std::size_t at_ = 0, size_ = 0;
};

// Throws InvalidSnapshot unless the condition holds.
inline void expect_in_snapshot(bool holds, const char* what) {
    if (!holds) throw InvalidSnapshot(std::string("expected ") + what + ", got something else");
}

}  // namespace noughts
