// Snapshots as plain bytes, for the tests.
#pragma once

#include <algorithm>
#include <string>

#include "support/snapshot.hpp"

namespace noughts::testing {

// The bytes that `save(writer)` writes.
template <typename Save>
std::string saved_bytes(Save&& save) {
    std::string bytes;
    SnapshotWriter out([&](std::span<const char> piece) { bytes.append(piece.begin(), piece.end()); });
    save(out);
    out.flush();
    return bytes;
}

// A reader of the bytes, which must outlive it.
inline SnapshotReader reader_of(const std::string& bytes) {
    return SnapshotReader([&bytes, at = std::size_t{0}](std::span<char> room) mutable {
        const std::size_t size = std::min(room.size(), bytes.size() - at);
        std::copy_n(bytes.data() + at, size, room.data());
        at += size;
        return size;
    });
}

}  // namespace noughts::testing
