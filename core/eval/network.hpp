// The network that judges a position: 61 own and 61 opposing cells seen by each side through the
// same weights, two hidden halves side by side, squared and clipped, one output for each stage of
// the game. Whole numbers throughout, so that every machine gives the same value.
//
//   122 cells -> hidden (side to judge for) \.
//                                             > clip, square, weigh by stage -> value
//   122 cells -> hidden (the other side)    /
#pragma once

#include "kernel/bits.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sumito {

class Network {
  public:
    static constexpr int INPUTS = 2 * CELLS;
    static constexpr int STAGES = 6;        // by marbles lost on either side: 0, 1-2, 3-4, ...
    static constexpr int MOST_HIDDEN = 256; // 64, 128 or 256
    static constexpr int ONE = 255;         // what 1.0 is in the hidden layer
    static constexpr int OUTPUT_ONE = 64;   // and in the output weights

    using Half = std::array<std::int16_t, MOST_HIDDEN>;
    struct alignas(64) Accumulator {
        std::array<Half, 2> half; // by side; unset beyond the hidden size
    };
    // Marbles of the two sides that a move takes from cells and puts on others.
    struct Change {
        std::array<Bits, 2> gone;
        std::array<Bits, 2> come;
    };

    // Weights as a trainer has them, before they become whole numbers.
    struct Weights {
        int hidden = 0;
        std::vector<float> features;    // INPUTS rows of `hidden`
        std::vector<float> bias;        // hidden
        std::vector<float> output;      // STAGES rows of 2 * hidden
        std::vector<float> output_bias; // STAGES
    };

    // Throws std::invalid_argument that says why a file can't be used.
    explicit Network(std::string_view file);
    // A file of these weights; `scale` is the value of one unit of log-odds, `facts` JSON.
    static std::string file_of(const Weights& weights, int scale, std::string_view facts);

    int hidden() const { return size; }
    int scale() const { return unit; }
    const std::string& facts() const { return told; }
    std::uint32_t checksum() const { return sum; }

    static int stage(int lost) { return lost >= 2 * STAGES - 1 ? STAGES - 1 : (lost + 1) / 2; }

    void refresh(const std::array<Bits, 2>& marbles, Accumulator& fresh) const;
    void update(const Accumulator& before, const Change& change, Accumulator& fresh) const {
        kernels->update(*this, before, change, fresh);
    }
    // For a side, in the units of the search.
    int value(const Accumulator& now, int side, int lost) const;

    // Without the wide registers, to compare with.
    void use_plain();
    bool is_wide() const;

    // As the vectorised code reads them.
    const std::int16_t* row(int input) const { return &features[index(input)]; }
    const std::int16_t* biases() const { return bias.data(); }
    const std::int16_t* weights_of(int stage) const {
        return &output[static_cast<std::size_t>(stage * 2 * size)];
    }

    struct Kernels {
        void (*update)(const Network&, const Accumulator&, const Change&, Accumulator&);
        std::int32_t (*output)(const std::int16_t* us, const std::int16_t* them,
                               const std::int16_t* weights);
    };

  private:
    int size = 0;
    int unit = 0;
    std::uint32_t sum = 0;
    std::string told;
    std::vector<std::int16_t> features;
    std::vector<std::int16_t> bias;
    std::vector<std::int16_t> output;
    std::vector<std::int32_t> output_bias;
    const Kernels* kernels = nullptr;

    std::size_t index(int input) const { return static_cast<std::size_t>(input * size); }
    void read_header(std::string_view file);
    void read_weights(std::string_view payload);
};

} // namespace sumito
