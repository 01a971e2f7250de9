// Reading and writing networks, and the two loops they spend their time in.
#include "eval/network.hpp"

#include "eval/simd.hpp"
#include "kernel/error.hpp"

#include <bit>
#include <cmath>
#include <cstring>

namespace sumito {

namespace {

constexpr std::string_view MAGIC = "SUMITONN";
constexpr std::uint32_t VERSION = 1;

static_assert(std::endian::native == std::endian::little, "network files are little-endian");

// What stands before the facts, in this order.
struct Header {
    char magic[8];
    std::uint32_t version;
    std::uint32_t inputs;
    std::uint32_t hidden;
    std::uint32_t stages;
    std::uint32_t scale;
    std::uint32_t facts;    // bytes of JSON that follow
    std::uint32_t checksum; // CRC-32 of all that follows
};
static_assert(sizeof(Header) == 36);

std::uint32_t crc32(std::string_view bytes) {
    std::uint32_t crc = ~0u;
    for (const char byte : bytes) {
        crc ^= static_cast<unsigned char>(byte);
        for (int i = 0; i < 8; ++i) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return ~crc;
}

[[noreturn]] void refuse(const std::string& why) { raise(why); }

std::size_t payload_bytes(std::size_t hidden) {
    const std::size_t shorts = Network::INPUTS * hidden + hidden + Network::STAGES * 2 * hidden;
    return 2 * shorts + 4 * Network::STAGES;
}

template <class T>
void take(std::string_view& from, std::vector<T>& to, std::size_t count) {
    to.resize(count);
    std::memcpy(to.data(), from.data(), count * sizeof(T));
    from.remove_prefix(count * sizeof(T));
}

template <class T>
void give(std::string& to, const std::vector<float>& from, double one, double most) {
    for (const float weight : from) {
        const double rounded = std::nearbyint(static_cast<double>(weight) * one);
        const T whole = static_cast<T>(rounded > most ? most : rounded < -most ? -most : rounded);
        to.append(reinterpret_cast<const char*>(&whole), sizeof whole);
    }
}

} // namespace

Network::Network(std::string_view file) {
    read_header(file);
    kernels = kernels_for(size, Registers::widest);
}

void Network::read_header(std::string_view file) {
    if (file.substr(0, MAGIC.size()) != MAGIC) refuse("not a network file");
    Header header;
    if (file.size() < sizeof header) refuse("the file ends within its header");
    std::memcpy(&header, file.data(), sizeof header);
    if (header.version != VERSION)
        refuse("version " + std::to_string(header.version) + "; this program reads version " +
               std::to_string(VERSION));
    if (header.inputs != INPUTS || header.stages != STAGES)
        refuse(std::to_string(header.inputs) + " inputs and " + std::to_string(header.stages) +
               " stages; this program has " + std::to_string(INPUTS) + " and " +
               std::to_string(STAGES));
    if (header.hidden != 64 && header.hidden != 128 && header.hidden != 256)
        refuse("a hidden layer of " + std::to_string(header.hidden) +
               "; this program knows 64, 128 and 256");
    if (header.scale < 1 || header.scale > 10000)
        refuse("a scale of " + std::to_string(header.scale) + "; it is 1 to 10000");
    std::string_view rest = file.substr(sizeof header);
    const std::size_t wanted = header.facts + payload_bytes(header.hidden);
    if (rest.size() != wanted)
        refuse("its header promises " + std::to_string(sizeof header + wanted) +
               " bytes, and it has " + std::to_string(file.size()));
    if (crc32(rest) != header.checksum) refuse("its contents don't match its checksum");
    size = static_cast<int>(header.hidden);
    unit = static_cast<int>(header.scale);
    sum = header.checksum;
    told = rest.substr(0, header.facts);
    read_weights(rest.substr(header.facts));
}

void Network::read_weights(std::string_view payload) {
    const auto n = static_cast<std::size_t>(size);
    take(payload, features, INPUTS * n);
    take(payload, bias, n);
    take(payload, output, STAGES * 2 * n);
    take(payload, output_bias, STAGES);
    // Beyond this a product of the output layer would not fit its sixteen bits.
    for (const std::int16_t weight : output)
        if (std::abs(weight) > MOST_OUTPUT) refuse("an output weight is too large to compute with");
}

std::string Network::file_of(const Weights& weights, int scale, std::string_view facts) {
    std::string rest(facts);
    give<std::int16_t>(rest, weights.features, ONE, MOST_FEATURE);
    give<std::int16_t>(rest, weights.bias, ONE, MOST_FEATURE);
    give<std::int16_t>(rest, weights.output, OUTPUT_ONE, MOST_OUTPUT);
    give<std::int32_t>(rest, weights.output_bias, ONE * OUTPUT_ONE, 1 << 24);
    Header header{{},
                  VERSION,
                  INPUTS,
                  static_cast<std::uint32_t>(weights.hidden),
                  STAGES,
                  static_cast<std::uint32_t>(scale),
                  static_cast<std::uint32_t>(facts.size()),
                  crc32(rest)};
    std::memcpy(header.magic, MAGIC.data(), MAGIC.size());
    return std::string(reinterpret_cast<const char*>(&header), sizeof header) + rest;
}

void Network::refresh(const std::array<Bits, 2>& marbles, Accumulator& fresh) const {
    for (int side = 0; side < 2; ++side)
        std::copy_n(biases(), size, fresh.half[static_cast<std::size_t>(side)].begin());
    const Accumulator empty = fresh;
    update(empty, {{0, 0}, marbles}, fresh);
}

int Network::value(const Accumulator& now, int side, int lost) const {
    const int at = stage(lost);
    const std::int32_t weighed =
        kernels->output(now.half[static_cast<std::size_t>(side)].data(),
                        now.half[static_cast<std::size_t>(side ^ 1)].data(), weights_of(at));
    const std::int64_t odds = weighed / ONE + output_bias[static_cast<std::size_t>(at)];
    return static_cast<int>(odds * unit / (ONE * OUTPUT_ONE));
}

void Network::use_plain() { kernels = kernels_for(size, Registers::plain); }

bool Network::is_wide() const { return kernels != kernels_for(size, Registers::plain); }

} // namespace sumito
