// Built with -mavx2: the network must still use its hand-written loops.
#include "eval/network.hpp"
#include "eval/simd.hpp"
#include "tests/check.hpp"

int main() {
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2")) return 0;
    CHECK(sumito::kernels_for(128, sumito::Simd::avx512) !=
          sumito::kernels_for(128, sumito::Simd::scalar));
    if (!failures) std::cout << "avx2: all passed\n";
    return failures != 0;
}
