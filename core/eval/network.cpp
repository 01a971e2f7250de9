// Reading and writing of network files, and dispatch to the inner loops.
#include "eval/network.hpp"

#include "eval/simd.hpp"
#include "kernel/cells.hpp"
#include "kernel/error.hpp"

#include <algorithm>
#include <bit>
#include <bitset>
#include <cmath>
#include <cstring>
#include <functional>
#include <iterator>
#include <numeric>

namespace sumito {

namespace {

constexpr std::string_view MAGIC = "SUMITONN";
// Version 1 has no second layer; version 2, with sixteen-bit weights in it, was never released.
constexpr std::uint32_t VERSION = 3;
constexpr int MAX_FEATURE = 500; // bound of trained weights: no sum over a board can overflow
constexpr int MAX_SECOND = 127;
constexpr int MAX_THIRD = 32767; // no sum over the neurons can overflow
constexpr int MAX_BIAS = 1 << 24;

static_assert(std::endian::native == std::endian::little, "network files are little-endian");

// The header of a part; the facts follow.
struct Header {
    char magic[8];
    std::uint32_t version;
    std::uint32_t inputs;
    std::uint32_t hidden;
    std::uint32_t outputs; // with the inputs, they determine the mode
    std::uint32_t scale;
    std::uint32_t facts;    // bytes of JSON that follow
    std::uint32_t checksum; // CRC-32 of all that follows
    std::uint32_t second;   // neurons of the second layer; absent in version 1
};
static_assert(sizeof(Header) == 40);
constexpr std::size_t FIRST_HEADER = 36;

std::uint32_t crc32(std::string_view bytes) {
    std::uint32_t crc = ~0u;
    for (const char byte : bytes) {
        crc ^= static_cast<unsigned char>(byte);
        for (int i = 0; i < 8; ++i) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return ~crc;
}

[[noreturn]] void refuse(const std::string& why) { raise(why); }

std::size_t payload_bytes(Mode mode, std::size_t hidden, std::size_t second) {
    const auto in = static_cast<std::size_t>(inputs(mode));
    const auto out = static_cast<std::size_t>(outputs(mode));
    const std::size_t width = static_cast<std::size_t>(perspectives(mode)) * hidden;
    const std::size_t shorts = in * hidden + hidden + out * width + out * second * 2;
    return shorts * sizeof(std::int16_t) + out * second * width * sizeof(std::int8_t) +
           out * (1 + second) * sizeof(std::int32_t);
}

Mode mode_of(const Header& header) {
    for (const Mode mode : MODES)
        if (header.inputs == static_cast<std::uint32_t>(inputs(mode)) &&
            header.outputs == static_cast<std::uint32_t>(outputs(mode)))
            return mode;
    refuse(std::to_string(header.inputs) + " inputs and " + std::to_string(header.outputs) +
           " outputs; no mode has these");
}

// The most inputs that can be set at once: every marble and counted ejection.
constexpr int max_set_inputs(Mode mode) {
    const int most = mode == Mode::two ? LARGEST_START : max_marbles(mode);
    return most * colours(mode) + (mode == Mode::three ? 3 * CAPTURE_INPUTS : 0);
}
static_assert(max_set_inputs(Mode::three) <= ModeNetwork::FeatureDelta::MAX);

template <class Weights>
void read(std::string_view& from, Weights& to, std::size_t count) {
    using T = typename Weights::value_type;
    to.resize(count);
    if (count)
        std::memcpy(to.data(), from.data(), count * sizeof(T)); // an empty vector has no data
    from.remove_prefix(count * sizeof(T));
}

template <class T>
void append(std::string& to, const std::vector<float>& from, double one, double most) {
    for (const float weight : from) {
        const double rounded = std::nearbyint(static_cast<double>(weight) * one);
        const T whole = static_cast<T>(rounded > most ? most : rounded < -most ? -most : rounded);
        to.append(reinterpret_cast<const char*>(&whole), sizeof whole);
    }
}

} // namespace

ModeNetwork::ModeNetwork(std::string_view& file, Simd simd) {
    if (file.substr(0, MAGIC.size()) != MAGIC) refuse("not a network file");
    Header header{};
    if (file.size() < FIRST_HEADER) refuse("the file ends within its header");
    std::memcpy(&header, file.data(), FIRST_HEADER);
    if (header.version != 1 && header.version != VERSION)
        refuse("version " + std::to_string(header.version) +
               "; this program reads versions 1 and " + std::to_string(VERSION));
    const std::size_t front = header.version == 1 ? FIRST_HEADER : sizeof header;
    if (file.size() < front) refuse("the file ends within its header");
    std::memcpy(&header, file.data(), front);
    of = mode_of(header);
    if (header.hidden != 64 && header.hidden != 128 && header.hidden != 256)
        refuse("a hidden layer of " + std::to_string(header.hidden) +
               "; this program knows 64, 128 and 256");
    if (header.second != 0 && header.second != SECOND)
        refuse("a second layer of " + std::to_string(header.second) +
               "; this program knows none or " + std::to_string(SECOND));
    if (header.scale < 1 || header.scale > 10000)
        refuse("a scale of " + std::to_string(header.scale) + "; it is 1 to 10000");
    const std::string_view rest = file.substr(front);
    const std::size_t expected = header.facts + payload_bytes(of, header.hidden, header.second);
    if (rest.size() < expected)
        refuse("its header promises " + std::to_string(front + expected) + " bytes, and it has " +
               std::to_string(file.size()));
    if (crc32(rest.substr(0, expected)) != header.checksum)
        refuse("its contents don't match its checksum");
    size = static_cast<int>(header.hidden);
    value_scale = static_cast<int>(header.scale);
    sum = header.checksum;
    facts_json = rest.substr(0, header.facts);
    read_weights(rest.substr(header.facts, expected - header.facts), header.second);
    check_range();
    kernels = kernels_for(size, simd);
    if (kernels->sparse && header.second) reorder();
    permute_second_layer();
    file.remove_prefix(front + expected);
}

void ModeNetwork::read_weights(std::string_view payload, std::size_t neurons) {
    const auto n = static_cast<std::size_t>(size);
    const auto out = static_cast<std::size_t>(outputs(of));
    std::vector<std::int16_t> bias;
    read(payload, features, static_cast<std::size_t>(inputs(of)) * n);
    read(payload, bias, n);
    std::copy(bias.begin(), bias.end(), bias_sums.at.begin());
    const std::size_t width = static_cast<std::size_t>(perspectives(of)) * n;
    read(payload, output, out * width);
    read(payload, output_bias, out);
    read(payload, second, out * neurons * width);
    read(payload, second_bias, out * neurons);
    read(payload, third, out * neurons * 2);
}

// Refuses weights with which some board could overflow the sums.
void ModeNetwork::check_range() const {
    const int rows = inputs(of);
    std::vector<int> column(static_cast<std::size_t>(rows));
    for (int i = 0; i < size; ++i) {
        for (int row = 0; row < rows; ++row)
            column[static_cast<std::size_t>(row)] =
                std::abs(int{features[static_cast<std::size_t>(row * size + i)]});
        std::sort(column.begin(), column.end(), std::greater<>());
        int most = std::abs(int{bias_sums.at[static_cast<std::size_t>(i)]});
        for (int k = 0; k < max_set_inputs(of); ++k) most += column[static_cast<std::size_t>(k)];
        if (most > INT16_MAX) refuse("its weights are too large to add up");
    }
    const int width = perspectives(of) * size;
    for (int bucket = 0; bucket < outputs(of); ++bucket) {
        std::int64_t most = 0;
        for (int i = 0; i < width; ++i) {
            const int weight = std::abs(int{weights_of(bucket)[i]});
            // Beyond this a product would not fit its sixteen bits.
            if (weight > MAX_OUTPUT) refuse("an output weight is too large to compute with");
            most += std::int64_t{weight} * ONE * ONE;
        }
        if (most > INT32_MAX) refuse("its output weights are too large to add up");
        if (std::abs(std::int64_t{output_bias[static_cast<std::size_t>(bucket)]}) > MAX_BIAS)
            refuse("an output bias is too large to compute with");
    }
    const auto small = [](const auto& weights, int most) {
        return std::all_of(weights.begin(), weights.end(),
                           [&](auto weight) { return std::abs(int{weight}) <= most; });
    };
    if (!small(second, MAX_SECOND) || !small(third, MAX_THIRD) || !small(second_bias, MAX_BIAS))
        refuse("a weight of its second layer is too large to compute with");
}

int ModeNetwork::value(const Accumulator& us, const Accumulator& them, int bucket) const {
    const auto at = static_cast<std::size_t>(bucket);
    const std::size_t row = at * SECOND;
    const auto width = static_cast<std::size_t>(perspectives(of) * size);
    SecondLayer layer{};
    const bool has_second = !second.empty();
    if (has_second)
        layer = {&second_permuted[row * width * static_cast<std::size_t>(kernels->weight_bytes)],
                 &second_bias[row], &third[2 * row]};
    const Outputs sums = kernels->outputs(us, them, perspectives(of), weights_of(bucket),
                                          has_second ? &layer : nullptr);
    std::int64_t odds = sums.direct / ONE + output_bias[at];
    odds += std::int64_t{sums.second} * (ONE * OUTPUT_ONE) / (SECOND_OUT * THIRD_ONE);
    return static_cast<int>(odds * value_scale / (ONE * OUTPUT_ONE));
}

std::string ModeNetwork::file_of(const FloatWeights& weights, int scale, std::string_view facts) {
    std::string rest(facts);
    append<std::int16_t>(rest, weights.features, ONE, MAX_FEATURE);
    append<std::int16_t>(rest, weights.bias, ONE, MAX_FEATURE);
    append<std::int16_t>(rest, weights.output, OUTPUT_ONE, MAX_OUTPUT);
    append<std::int32_t>(rest, weights.output_bias, ONE * OUTPUT_ONE, MAX_BIAS);
    append<std::int8_t>(rest, weights.second, SECOND_ONE, MAX_SECOND);
    append<std::int32_t>(rest, weights.second_bias, SQUARE_ONE * SECOND_ONE, MAX_BIAS);
    append<std::int16_t>(rest, weights.third, THIRD_ONE, MAX_THIRD);
    Header header{{},
                  VERSION,
                  static_cast<std::uint32_t>(inputs(weights.mode)),
                  static_cast<std::uint32_t>(weights.hidden),
                  static_cast<std::uint32_t>(outputs(weights.mode)),
                  static_cast<std::uint32_t>(scale),
                  static_cast<std::uint32_t>(facts.size()),
                  crc32(rest),
                  static_cast<std::uint32_t>(weights.second.empty() ? 0 : SECOND)};
    std::memcpy(header.magic, MAGIC.data(), MAGIC.size());
    return std::string(reinterpret_cast<const char*>(&header), sizeof header) + rest;
}

ModeNetwork::FloatWeights ModeNetwork::floats() const {
    const auto all = [](const auto& whole, auto end, float one) {
        std::vector<float> made;
        std::transform(whole.begin(), end, std::back_inserter(made),
                       [&](auto weight) { return static_cast<float>(weight) / one; });
        return made;
    };
    const auto in_order = [&](std::vector<float> rows) { // of the file
        const auto before = rows;
        for (std::size_t i = 0; !order.empty() && i < rows.size(); ++i)
            rows[i / order.size() * order.size() + order[i % order.size()]] = before[i];
        return rows;
    };
    return {of,
            size,
            in_order(all(features, features.end(), ONE)),
            in_order(all(bias_sums.at, bias_sums.at.begin() + size, ONE)),
            in_order(all(output, output.end(), OUTPUT_ONE)),
            all(output_bias, output_bias.end(), ONE * OUTPUT_ONE),
            all(second, second.end(), SECOND_ONE),
            all(second_bias, second_bias.end(), SQUARE_ONE * SECOND_ONE),
            all(third, third.end(), THIRD_ONE)};
}

void ModeNetwork::permute_second_layer() {
    const auto together = static_cast<std::size_t>(kernels->squares_at_once);
    const auto n = static_cast<std::size_t>(size);
    const std::size_t width = static_cast<std::size_t>(perspectives(of)) * n;
    std::vector<std::int8_t> rows(second.size());
    for (std::size_t row = 0; row < second.size() / width; ++row)
        for (std::size_t i = 0; i < width; ++i) {
            const std::size_t bucket = row / SECOND * SECOND * width;
            const std::size_t neuron = row % SECOND;
            const std::size_t source = order.empty() ? i : i / n * n + order[i % n];
            const std::size_t place =
                together == 1 ? neuron * width + i
                              : i / together * together * SECOND + neuron * together + i % together;
            rows[bucket + place] = second[row * width + source];
        }
    if (kernels->weight_bytes == 1) {
        second_permuted.assign(rows.begin(), rows.end());
        return;
    }
    const std::vector<std::int16_t> wide(rows.begin(), rows.end());
    second_permuted.resize(wide.size() * sizeof(std::int16_t));
    if (!wide.empty()) std::memcpy(second_permuted.data(), wide.data(), second_permuted.size());
}

// Places next to each other hidden neurons that are often zero at the same time. No sum depends on
// the order, so values stay the same.
void ModeNetwork::reorder() {
    order = group_neurons();
    const auto permute = [&](std::int16_t* row) {
        const std::vector<std::int16_t> before(row, row + size);
        for (std::size_t i = 0; i < order.size(); ++i) row[i] = before[order[i]];
    };
    permute(bias_sums.at.data());
    for (std::size_t row = 0; row < features.size(); row += order.size()) permute(&features[row]);
    for (std::size_t row = 0; row < output.size(); row += order.size()) permute(&output[row]);
}

// Groups by how often all are active on sample boards: marbles crowded round the centre, each
// player's on their own side of it. The most active neuron chooses first.
std::vector<std::size_t> ModeNetwork::group_neurons() const {
    constexpr int SAMPLES = 128;
    constexpr int MARBLES = 28;
    const auto n = static_cast<std::size_t>(size);
    const int players = inputs(of) / CELLS;
    std::vector<std::bitset<SAMPLES>> active(n);
    std::uint32_t state = 1;
    const auto noise = [&state](int most) { // -most to most
        state = state * 1664525u + 1013904223u;
        return static_cast<int>((state >> 16) % (2u * static_cast<unsigned>(most) + 1)) - most;
    };
    for (int sample = 0; sample < SAMPLES; ++sample) {
        const auto direction = static_cast<std::size_t>(sample % DIRECTIONS);
        std::array<std::pair<int, int>, CELLS> cells; // sorted by distance, then by side
        for (int cell = 0; cell < CELLS; ++cell)
            cells[static_cast<std::size_t>(cell)] = {2 * GEOMETRY.ring[cell] + noise(3), cell};
        std::sort(cells.begin(), cells.end());
        for (int k = 0; k < MARBLES; ++k) {
            auto& [rank, cell] = cells[static_cast<std::size_t>(k)];
            rank = detail::ROW_STEP[direction] * (2 * GEOMETRY.row[cell]) +
                   detail::DIGIT_STEP[direction] * (2 * GEOMETRY.digit[cell] - 10) + noise(5);
        }
        std::sort(cells.begin(), cells.begin() + MARBLES);
        FeatureDelta board;
        for (int k = 0; k < MARBLES; ++k)
            board.add(k * players / MARBLES * CELLS + cells[static_cast<std::size_t>(k)].second);
        Accumulator sums;
        refresh(board, sums);
        for (std::size_t i = 0; i < n; ++i)
            active[i][static_cast<std::size_t>(sample)] =
                sums.at[i] > 0 && sums.at[i] * sums.at[i] >> SQUARE_SHIFT;
    }
    std::vector<std::size_t> left(n);
    std::iota(left.begin(), left.end(), std::size_t{0});
    std::stable_sort(left.begin(), left.end(), [&](std::size_t a, std::size_t b) {
        return active[a].count() < active[b].count();
    });
    std::vector<std::size_t> grouped;
    while (!left.empty()) {
        auto together = active[left.back()];
        grouped.push_back(left.back());
        left.pop_back();
        for (int k = 1; k < kernels->squares_at_once; ++k) {
            const auto shared = [&](std::size_t other) {
                return (together & active[other]).count();
            };
            const auto partner =
                std::max_element(left.begin(), left.end(), [&](std::size_t a, std::size_t b) {
                    return shared(a) < shared(b);
                });
            together |= active[*partner];
            grouped.push_back(*partner);
            left.erase(partner);
        }
    }
    return grouped;
}

bool ModeNetwork::uses_simd() const { return kernels != kernels_for(size, Simd::scalar); }

Network::Network(std::string_view file, Simd simd) {
    do {
        ModeNetwork part(file, simd);
        auto& place = parts[static_cast<std::size_t>(part.mode())];
        if (place) refuse("it has two parts for " + std::string(name(part.mode())));
        place.emplace(std::move(part));
    } while (!file.empty());
}

std::vector<const ModeNetwork*> Network::all() const {
    std::vector<const ModeNetwork*> all;
    for (const Mode mode : MODES)
        if (of(mode)) all.push_back(of(mode));
    return all;
}

} // namespace sumito
