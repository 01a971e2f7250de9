// The network that judges a position: cells seen by a player through one layer of weights, squared
// and clipped, one set of output weights for each stage of the game. A second, small layer may add
// what no single look at the cells tells. Whole numbers throughout, so that every machine gives the
// same value.
//
//   122 cells -> hidden (side to judge for) \.                    / weigh by stage ------\.
//                                             > clip, square <                             > value
//   122 cells -> hidden (the other side)    /                    \ 16 by stage -> weigh /
//   183 or 244 cells -> hidden -> clip, square -> the same by stage and turn  (more than two)
#pragma once

#include "eval/views.hpp"

#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sumito {

enum class Registers { plain, wide, widest };

// Memory that begins where a line of the cache does: else each load of the widest registers takes
// two of them, and how fast a network is hangs on where it happens to lie.
template <class T>
struct AtLine {
    using value_type = T;
    static constexpr std::align_val_t LINE{64};

    AtLine() = default;
    template <class U>
    AtLine(const AtLine<U>&) {}
    T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), LINE)); }
    void deallocate(T* at, std::size_t) { ::operator delete(at, LINE); }
    friend bool operator==(const AtLine&, const AtLine&) { return true; }
};
template <class T>
using Aligned = std::vector<T, AtLine<T>>;

// The weights for one mode.
class Layers {
  public:
    static constexpr int MOST_HIDDEN = 256; // 64, 128 or 256
    static constexpr int ONE = 255;         // what 1.0 is in the hidden layer
    static constexpr int OUTPUT_ONE = 64;   // and in the output weights
    static constexpr int SECOND = 16;       // neurons of a second layer, where there is one
    static constexpr int SQUARE_ONE = 127;  // what 1.0 is in the squares it is fed
    static constexpr int SECOND_ONE = 64;   // in its weights
    static constexpr int SECOND_OUT = 1016; // in its neurons
    static constexpr int THIRD_ONE = 4096;  // and in the weights of what comes out of them

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

    // The second layer's weights of one stage.
    struct SecondLayer {
        const std::int8_t* weights;  // SECOND rows of views * hidden, as the kernel wants them
        const std::int32_t* bias;    // SECOND
        const std::int16_t* outputs; // SECOND for the clipped values, then for their squares
    };

    // Weights as a trainer has them, before they become whole numbers.
    struct Floats {
        Mode mode = Mode::two;
        int hidden = 0;
        std::vector<float> features;    // a row of `hidden` for each input
        std::vector<float> bias;        // hidden
        std::vector<float> output;      // outputs rows of views * hidden
        std::vector<float> output_bias; // outputs
        // Empty without a second layer: for each output SECOND rows of views * hidden, their
        // biases, and what their clipped and their squared values weigh.
        std::vector<float> second;
        std::vector<float> second_bias;
        std::vector<float> third;
    };

    // Takes its part from the beginning of a file; throws std::invalid_argument that says why the
    // file can't be used.
    explicit Layers(std::string_view& file, Registers registers = Registers::widest);
    // A file of these weights; `scale` is the value of one unit of log-odds, `facts` JSON.
    static std::string file_of(const Floats& weights, int scale, std::string_view facts);

    Floats floats() const;

    Mode mode() const { return of; }
    int hidden() const { return size; }
    int second_size() const { return second.empty() ? 0 : SECOND; }
    int scale() const { return unit; }
    const std::string& facts() const { return told; }
    std::uint32_t checksum() const { return sum; }

    void refresh(const Change& all, Sums& fresh) const { update(first, all, fresh); }
    void update(const Sums& before, const Change& change, Sums& fresh) const {
        kernels->update(features.data(), before, change, fresh);
    }
    // In the units of the search.
    int value(const Sums& us, const Sums& them, int bucket) const {
        return scaled(kernels->both(us, them, weights_of(bucket)), bucket, us, them);
    }
    int value(const Sums& view, int bucket) const {
        return scaled(kernels->one(view, weights_of(bucket)), bucket, view, view);
    }

    bool is_wide() const;

    struct Kernels {
        void (*update)(const std::int16_t* features, const Sums& before, const Change& change,
                       Sums& fresh);
        std::int32_t (*one)(const Sums& view, const std::int16_t* weights);
        std::int32_t (*both)(const Sums& us, const Sums& them, const std::int16_t* weights);
        // What the second layer makes of the squares of one view or two.
        std::int32_t (*second)(const Sums& us, const Sums& them, int views,
                               const SecondLayer& layer);
        int squares_at_once; // whose weights for all neurons `second` wants side by side
        bool sparse; // `second` skips squares that are zero, and wants its weights in sixteen bits
    };

  private:
    Mode of = Mode::two;
    int size = 0;
    int unit = 0;
    std::uint32_t sum = 0;
    std::string told;
    Aligned<std::int16_t> features;
    Sums first; // the biases: what the sums are without a marble
    Aligned<std::int16_t> output;
    std::vector<std::int32_t> output_bias;
    Aligned<std::int8_t> second;
    Aligned<std::int8_t> arranged; // the same as the kernel wants them
    std::vector<std::int32_t> second_bias;
    std::vector<std::int16_t> third;
    std::vector<std::size_t> order; // of hidden neurons, where it isn't the file's
    const Kernels* kernels = nullptr;

    const std::int16_t* weights_of(int bucket) const {
        return &output[static_cast<std::size_t>(bucket * views(of) * size)];
    }
    int scaled(std::int32_t weighed, int bucket, const Sums& us, const Sums& them) const {
        std::int64_t odds = weighed / ONE + output_bias[static_cast<std::size_t>(bucket)];
        if (!second.empty()) odds += second_thought(us, them, bucket);
        return static_cast<int>(odds * unit / (ONE * OUTPUT_ONE));
    }
    std::int64_t second_thought(const Sums& us, const Sums& them, int bucket) const;
    void read_weights(std::string_view payload, std::size_t neurons);
    void check_range() const;
    void arrange();
    std::vector<std::size_t> pair_neurons() const;
    void reorder();
};

// A file of networks: one part for each mode it can judge, one after another.
class Network {
  public:
    // Throws std::invalid_argument that says why a file can't be used. It computes with such
    // registers or the widest below them that the machine has, and never changes: any number of
    // threads may share it.
    explicit Network(std::string_view file, Registers registers = Registers::widest);

    // Null where the file has no part for the mode.
    const Layers* of(Mode mode) const {
        const auto& part = parts[static_cast<std::size_t>(mode)];
        return part ? &*part : nullptr;
    }
    std::vector<const Layers*> all() const;

  private:
    std::array<std::optional<Layers>, MODES.size()> parts;
};

} // namespace sumito
