// Unpacks gzip files (RFC 1951 and 1952) into memory, with a limit on the size of the text.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "text.hpp"

// A canonical Huffman code, decoded by a table indexed with the next `bits` bits of the input.
struct HuffmanCode {
    int bits = 0;
    std::vector<std::uint16_t> table;  // symbol * 16 + length, or 0

    // Lengths of 0 mean unused symbols. Only a code of at most one symbol may be incomplete.
    explicit HuffmanCode(std::span<const std::uint8_t> lengths) : bits(std::ranges::max(lengths)) {
        table.assign(std::size_t{1} << bits, 0);
        std::size_t code = 0;  // with its bits in the order of their weight, as if all codes had 15 bits
        for (int length = 1; length <= bits; ++length)
            for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
                if (lengths[symbol] != length) continue;
                expect(code < 1 << 15, "a compressed file with valid codes");
                std::size_t reversed = 0;
                for (int bit = 0; bit < length; ++bit) reversed |= (code >> (14 - bit) & 1) << bit;
                for (; reversed < table.size(); reversed += std::size_t{1} << length)
                    table[reversed] = static_cast<std::uint16_t>(symbol * 16 + length);
                code += std::size_t{1} << (15 - length);
            }
        expect(code == 1 << 15 || bits <= 1, "a compressed file with complete codes");
    }
};

class Gunzip {
  public:
    Gunzip(std::string_view data, std::size_t most) : data_(data), most_(most), end_(std::uint64_t{8} * data.size()) {
        data_.append(sizeof(std::uint64_t), '\0');
    }

    std::string text() {
        do {
            read_member();
            while (at_ < end_ && data_[at_ / 8] == '\0') at_ += 8;
        } while (at_ < end_);
        return std::move(out_);
    }

  private:
    static constexpr std::uint32_t HAS_CHECKSUM = 2, HAS_EXTRA = 4, HAS_NAME = 8, HAS_COMMENT = 16;
    static constexpr int END_OF_BLOCK = 256, LONGEST = 285;

    void read_member() {
        expect(take(16) == 0x8b1f, "nothing but zeros after a compressed file");
        expect(take(8) == 8, "a file compressed by deflate");
        const std::uint32_t flags = take(8);
        for (int i = 0; i < 6; ++i) take(8);
        if (flags & HAS_EXTRA)
            for (std::uint32_t left = take(16); left > 0; --left) take(8);
        for (const std::uint32_t flag : {HAS_NAME, HAS_COMMENT})
            while ((flags & flag) && take(8) != 0) continue;
        if (flags & HAS_CHECKSUM) take(16);
        start_ = out_.size();
        for (bool is_last = false; !is_last;) {
            is_last = take(1) == 1;
            read_block(take(2));
        }
        skip_to_byte();
        expect(take(32) == checksum(std::string_view(out_).substr(start_)), "a compressed file with its checksum");
        expect(take(32) == static_cast<std::uint32_t>(out_.size() - start_), "a compressed file of its length");
    }

    void read_block(std::uint32_t kind) {
        expect(kind < 3, "a known kind of compressed block");
        if (kind == 0) return read_stored();
        if (kind == 2) return read_dynamic();
        std::array<std::uint8_t, 288> lengths{};
        for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
        read_symbols(HuffmanCode(lengths), HuffmanCode(std::vector<std::uint8_t>(32, 5)));
    }

    void read_stored() {
        skip_to_byte();
        const std::uint32_t length = take(16), complement = take(16);
        expect(length == (~complement & 0xffff), "stored blocks with their length twice");
        expect_room(length);
        for (std::uint32_t i = 0; i < length; ++i) out_.push_back(static_cast<char>(take(8)));
    }

    void read_dynamic() {
        constexpr std::array<int, 19> ORDER{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
        const std::size_t literals = take(5) + 257, distances = take(5) + 1, codes = take(4) + 4;
        expect(literals <= 286 && distances <= 30, "compressed blocks with at most 286 and 30 codes");
        std::array<std::uint8_t, 19> code_lengths{};
        for (std::size_t i = 0; i < codes; ++i) code_lengths[ORDER[i]] = static_cast<std::uint8_t>(take(3));
        const HuffmanCode code(code_lengths);
        expect(code.bits > 1 || std::ranges::count(code_lengths, 1) == 2, "a compressed file with complete codes");
        std::vector<std::uint8_t> lengths;
        while (lengths.size() < literals + distances) {
            const int symbol = decode(code);
            expect(symbol != 16 || !lengths.empty(), "a first length before it is repeated");
            const std::size_t times = symbol < 16 ? 1 : symbol < 18 ? 3 + take(symbol - 14) : 11 + take(7);
            lengths.resize(lengths.size() + times, symbol < 16 ? symbol : symbol == 16 ? lengths.back() : 0);
        }
        expect(lengths.size() == literals + distances, "as many lengths as codes");
        expect(lengths[END_OF_BLOCK] > 0, "compressed blocks with an end");
        const std::span<const std::uint8_t> all(lengths);
        read_symbols(HuffmanCode(all.first(literals)), HuffmanCode(all.subspan(literals)));
    }

    void read_symbols(const HuffmanCode& literals, const HuffmanCode& distances) {
        for (int symbol; (symbol = decode(literals)) != END_OF_BLOCK;) {
            if (symbol < END_OF_BLOCK) {
                expect_room(1);
                out_.push_back(static_cast<char>(symbol));
                continue;
            }
            expect(symbol <= LONGEST, "a compressed file with valid lengths");
            const std::size_t length = symbol == LONGEST ? 258 : 3 + read_extended(symbol - END_OF_BLOCK - 1, 4);
            const int code = decode(distances);
            const std::size_t distance = 1 + read_extended(code, 2);
            expect(code < 30 && distance <= out_.size() - start_, "a compressed file with valid distances");
            expect_room(length);
            out_.resize(out_.size() + length);
            for (std::size_t at = out_.size() - length; at < out_.size(); ++at) out_[at] = out_[at - distance];
        }
    }

    // The number that a code stands for, together with the bits after it: one more for every `step` codes.
    std::size_t read_extended(int code, int step) {
        const int more = std::max(code / step - 1, 0);
        return (code < step ? code : (step + code % step) << more) + std::size_t{take(more)};
    }

    void expect_room(std::size_t more) const { expect(more <= most_ - out_.size(), "less text in a compressed file"); }

    int decode(const HuffmanCode& code) {
        const int entry = code.table[peek(code.bits)];
        expect(entry > 0, "a compressed file with valid codes");
        take(entry & 15);
        return entry >> 4;
    }

    std::uint32_t take(int bits) {
        const std::uint32_t value = peek(bits);
        at_ += bits;
        expect(at_ <= end_, "a whole compressed file");
        return value;
    }

    // The next bits, which are zeros after the end.
    std::uint32_t peek(int bits) const {
        std::uint64_t word = 0;
        for (std::size_t i = 0; i < sizeof word; ++i)
            word |= std::uint64_t{static_cast<unsigned char>(data_[at_ / 8 + i])} << 8 * i;
        return static_cast<std::uint32_t>(word >> at_ % 8 & ((std::uint64_t{1} << bits) - 1));
    }

    void skip_to_byte() { at_ = (at_ + 7) / 8 * 8; }

    static std::uint32_t checksum(std::string_view text) {
        std::array<std::uint32_t, 256> table{};
        for (std::uint32_t i = 0; i < 256; ++i) {
            table[i] = i;
            for (int bit = 0; bit < 8; ++bit) table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0u);
        }
        std::uint32_t crc = ~0u;
        for (const char letter : text) crc = table[(crc ^ static_cast<unsigned char>(letter)) & 255] ^ crc >> 8;
        return ~crc;
    }

    std::string data_, out_;
    std::size_t most_, start_ = 0;
    std::uint64_t at_ = 0, end_;  // in bits
};
