// The network that judges a position: cells seen by a player through one layer of weights, squared
// and clipped, one set of output weights for each stage of the game. Whole numbers throughout, so
// that every machine gives the same value.
//
//   122 cells -> hidden (side to judge for) \.
//                                             > clip, square, weigh by stage -> value   (two)
//   122 cells -> hidden (the other side)    /
//   183 or 244 cells -> hidden -> clip, square, weigh by stage and turn -> value        (more)
#pragma once

#include "eval/views.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sumito {

// The weights for one mode.
class Layers {
  public:
    static constexpr int MOST_HIDDEN = 256; // 64, 128 or 256
    static constexpr int ONE = 255;         // what 1.0 is in the hidden layer
    static constexpr int OUTPUT_ONE = 64;   // and in the output weights

    // The hidden sums of one view; unset beyond the hidden size.
    struct alignas(64) Sums {
        std::array<std::int16_t, MOST_HIDDEN> at;
        Sums() {} // made by the million
    };
    // Inputs of a view that a move sets and clears.
    struct Change {
        static constexpr int MOST = 96;
        std::array<std::uint8_t, MOST> come;
        std::array<std::uint8_t, MOST> gone;
        int comes = 0;
        int goes = 0;
        Change() {}
        SUMITO_INLINE void add(int input) { come[comes++] = static_cast<std::uint8_t>(input); }
        SUMITO_INLINE void drop(int input) { gone[goes++] = static_cast<std::uint8_t>(input); }
    };

    // Weights as a trainer has them, before they become whole numbers.
    struct Floats {
        Mode mode = Mode::two;
        int hidden = 0;
        std::vector<float> features;    // a row of `hidden` for each input
        std::vector<float> bias;        // hidden
        std::vector<float> output;      // outputs rows of views * hidden
        std::vector<float> output_bias; // outputs
    };

    // Takes its part from the beginning of a file; throws std::invalid_argument that says why the
    // file can't be used.
    explicit Layers(std::string_view& file);
    // A file of these weights; `scale` is the value of one unit of log-odds, `facts` JSON.
    static std::string file_of(const Floats& weights, int scale, std::string_view facts);

    Floats floats() const;

    Mode mode() const { return of; }
    int hidden() const { return size; }
    int scale() const { return unit; }
    const std::string& facts() const { return told; }
    std::uint32_t checksum() const { return sum; }

    void refresh(const Change& all, Sums& fresh) const { update(first, all, fresh); }
    void update(const Sums& before, const Change& change, Sums& fresh) const {
        kernels->update(features.data(), before, change, fresh);
    }
    // In the units of the search.
    int value(const Sums& us, const Sums& them, int bucket) const {
        return scaled(kernels->both(us, them, weights_of(bucket)), bucket);
    }
    int value(const Sums& view, int bucket) const {
        return scaled(kernels->one(view, weights_of(bucket)), bucket);
    }

    // Without the wide registers, to compare with.
    void use_plain();
    bool is_wide() const;

    struct Kernels {
        void (*update)(const std::int16_t* features, const Sums& before, const Change& change,
                       Sums& fresh);
        std::int32_t (*one)(const Sums& view, const std::int16_t* weights);
        std::int32_t (*both)(const Sums& us, const Sums& them, const std::int16_t* weights);
    };

  private:
    Mode of = Mode::two;
    int size = 0;
    int unit = 0;
    std::uint32_t sum = 0;
    std::string told;
    std::vector<std::int16_t> features;
    Sums first; // the biases: what the sums are without a marble
    std::vector<std::int16_t> output;
    std::vector<std::int32_t> output_bias;
    const Kernels* kernels = nullptr;

    const std::int16_t* weights_of(int bucket) const {
        return &output[static_cast<std::size_t>(bucket * views(of) * size)];
    }
    int scaled(std::int32_t weighed, int bucket) const {
        const std::int64_t odds = weighed / ONE + output_bias[static_cast<std::size_t>(bucket)];
        return static_cast<int>(odds * unit / (ONE * OUTPUT_ONE));
    }
    void read_weights(std::string_view payload);
    void check_range() const;
};

// A file of networks: one part for each mode it can judge, one after another.
class Network {
  public:
    // Throws std::invalid_argument that says why a file can't be used.
    explicit Network(std::string_view file);

    // Null where the file has no part for the mode.
    const Layers* of(Mode mode) const {
        const auto& part = parts[static_cast<std::size_t>(mode)];
        return part ? &*part : nullptr;
    }
    std::vector<const Layers*> all() const;
    void use_plain();

  private:
    std::array<std::optional<Layers>, MODES.size()> parts;
};

} // namespace sumito
