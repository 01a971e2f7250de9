// Efficiently updatable neural network (NNUE): one hidden layer per perspective, clipped and
// squared, with output weights by stage of the game, and optionally a second layer of 16 neurons.
// Integers throughout, so that every machine computes the same value.
//
//   122 cells -> hidden (side to evaluate) \.                   / output by stage ------\.
//                                            > clip, square <                            > value
//   122 cells -> hidden (the other side)   /                   \ 16 by stage -> output /
//   183 or 244 cells -> hidden -> clip, square -> the same by stage and turn  (more than two)
#pragma once

#include "eval/feature_layout.hpp"

#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sumito {

enum class Simd { scalar, avx2, avx512 };

// Allocator aligned to cache lines: otherwise each AVX-512 load may touch two of them, and speed
// depends on the address.
template <class T>
struct CacheAligned {
    using value_type = T;
    static constexpr std::align_val_t LINE{64};

    CacheAligned() = default;
    template <class U>
    CacheAligned(const CacheAligned<U>&) {}
    T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), LINE)); }
    void deallocate(T* at, std::size_t) { ::operator delete(at, LINE); }
    friend bool operator==(const CacheAligned&, const CacheAligned&) { return true; }
};
template <class T>
using Aligned = std::vector<T, CacheAligned<T>>;

// The weights for one mode.
class ModeNetwork {
  public:
    static constexpr int MAX_HIDDEN = 256;  // 64, 128 or 256
    static constexpr int ONE = 255;         // what 1.0 is in the hidden layer
    static constexpr int OUTPUT_ONE = 64;   // and in the output weights
    static constexpr int SECOND = 16;       // neurons of a second layer, where there is one
    static constexpr int SQUARE_ONE = 127;  // what 1.0 is in the squares it is fed
    static constexpr int SECOND_ONE = 64;   // in its weights
    static constexpr int SECOND_OUT = 1016; // in its neurons
    static constexpr int THIRD_ONE = 4096;  // and in the weights of what comes out of them

    // The hidden sums of one perspective; uninitialised beyond the hidden size.
    struct alignas(64) Accumulator {
        std::array<std::int16_t, MAX_HIDDEN> at;
        Accumulator() {} // one is created per node
    };
    // The inputs of a perspective that a move sets and clears.
    struct FeatureDelta {
        static constexpr int MAX = 96;
        std::array<std::uint8_t, MAX> added;
        std::array<std::uint8_t, MAX> removed;
        int added_count = 0;
        int removed_count = 0;
        FeatureDelta() {}
        SUMITO_INLINE void add(int input) {
            added[added_count++] = static_cast<std::uint8_t>(input);
        }
        SUMITO_INLINE void remove(int input) {
            removed[removed_count++] = static_cast<std::uint8_t>(input);
        }
    };

    // The second layer's weights of one stage.
    struct SecondLayer {
        const std::int8_t*
            weights; // SECOND rows of perspectives * hidden, in the order of the kernel
        const std::int32_t* bias;    // SECOND
        const std::int16_t* outputs; // SECOND for the clipped values, then for their squares
    };

    // Weighted sums of the hidden layer: straight to the output, and by way of a second layer.
    struct Outputs {
        std::int32_t direct;
        std::int32_t second;
    };

    // Weights in floating point, as a trainer has them.
    struct FloatWeights {
        Mode mode = Mode::two;
        int hidden = 0;
        std::vector<float> features;    // a row of `hidden` for each input
        std::vector<float> bias;        // hidden
        std::vector<float> output;      // outputs rows of perspectives * hidden
        std::vector<float> output_bias; // outputs
        // Empty without a second layer: for each output SECOND rows of perspectives * hidden, their
        // biases, and the output weights of their clipped and their squared values.
        std::vector<float> second;
        std::vector<float> second_bias;
        std::vector<float> third;
    };

    // Reads a part from the beginning of a file and removes it there; throws std::invalid_argument
    // with the reason if it is invalid.
    explicit ModeNetwork(std::string_view& file, Simd simd = Simd::avx512);
    // A file of these weights; `scale` is the value of one unit of log-odds, `facts` JSON.
    static std::string file_of(const FloatWeights& weights, int scale, std::string_view facts);

    FloatWeights floats() const;

    Mode mode() const { return of; }
    int hidden() const { return size; }
    int second_size() const { return second.empty() ? 0 : SECOND; }
    int scale() const { return value_scale; }
    const std::string& facts() const { return facts_json; }
    std::uint32_t checksum() const { return sum; }

    void refresh(const FeatureDelta& all, Accumulator& fresh) const {
        update(bias_sums, all, fresh);
    }
    void update(const Accumulator& before, const FeatureDelta& change, Accumulator& fresh) const {
        kernels->update(features.data(), before, change, fresh);
    }
    // In the units of the search. For a mode of one perspective both accumulators are the same.
    int value(const Accumulator& us, const Accumulator& them, int bucket) const;
    int value(const Accumulator& view, int bucket) const { return value(view, view, bucket); }

    bool uses_simd() const;

    struct Kernels {
        void (*update)(const std::int16_t* features, const Accumulator& before,
                       const FeatureDelta& change, Accumulator& fresh);
        // Of one or two perspectives, with the output weights of a stage; `layer` may be null.
        Outputs (*outputs)(const Accumulator& us, const Accumulator& them, int perspectives,
                           const std::int16_t* weights, const SecondLayer* layer);
        int squares_at_once; // whose weights for all neurons are read together
        bool sparse;         // skips groups of so many squares that are all zero
        int weight_bytes;    // of a weight of the second layer
    };

  private:
    Mode of = Mode::two;
    int size = 0;
    int value_scale = 0;
    std::uint32_t sum = 0;
    std::string facts_json;
    Aligned<std::int16_t> features;
    Accumulator bias_sums; // the biases
    Aligned<std::int16_t> output;
    std::vector<std::int32_t> output_bias;
    Aligned<std::int8_t> second;
    Aligned<std::int8_t> second_permuted; // the same in the order of the kernel
    std::vector<std::int32_t> second_bias;
    std::vector<std::int16_t> third;
    std::vector<std::size_t> order; // of hidden neurons, where it isn't the file's
    const Kernels* kernels = nullptr;

    const std::int16_t* weights_of(int bucket) const {
        return &output[static_cast<std::size_t>(bucket * perspectives(of) * size)];
    }
    void read_weights(std::string_view payload, std::size_t neurons);
    void check_range() const;
    void permute_second_layer();
    std::vector<std::size_t> group_neurons() const;
    void reorder();
};

// A network file: parts for one or more modes.
class Network {
  public:
    // Throws std::invalid_argument with the reason if the file is invalid. Uses the instruction set
    // given or the best below it that the machine has. Immutable: threads may share it.
    explicit Network(std::string_view file, Simd simd = Simd::avx512);

    // Null where the file has no part for the mode.
    const ModeNetwork* of(Mode mode) const {
        const auto& part = parts[static_cast<std::size_t>(mode)];
        return part ? &*part : nullptr;
    }
    std::vector<const ModeNetwork*> all() const;

  private:
    std::array<std::optional<ModeNetwork>, MODES.size()> parts;
};

} // namespace sumito
