// Calling convention between the page and the WebAssembly kernel: only numbers are passed. Texts
// and lists go through three buffers in the kernel's memory, to be read before the next call.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#define SUMITO_EXPORT(name) extern "C" __attribute__((export_name(#name)))
#define SUMITO_IMPORT(name) extern "C" __attribute__((import_module("sumito"), import_name(#name)))

namespace sumito::abi {

// Input of the coming call, written by the caller.
inline std::vector<double> in_buffer; // doubles, so that it is aligned for numbers and texts
// Output of the last call, as a text or as numbers.
inline std::string out_text;
inline std::vector<double> out_numbers;

inline std::string_view input_text(std::size_t size) {
    return {reinterpret_cast<const char*>(in_buffer.data()), size};
}

inline void put_number(double number) { out_numbers.push_back(number); }

template <class Numbers>
void put_all(const Numbers& numbers) {
    put_number(static_cast<double>(numbers.size()));
    for (const auto number : numbers) put_number(static_cast<double>(number));
}

inline int put_text(std::string text) {
    out_text = std::move(text);
    return static_cast<int>(out_text.size());
}

inline int out_numbers_size() { return static_cast<int>(out_numbers.size()); }

} // namespace sumito::abi
