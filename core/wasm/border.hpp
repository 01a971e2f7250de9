// What crosses the border between a page and the kernel: numbers alone. Texts and lists go through
// three buffers in the kernel's memory, which the caller reads before the next call.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#define SUMITO_EXPORT(name) extern "C" __attribute__((export_name(#name)))
#define SUMITO_IMPORT(name) extern "C" __attribute__((import_module("sumito"), import_name(#name)))

namespace sumito::border {

// What the caller wrote for the coming call.
inline std::vector<double> written; // doubles, so that its memory suits numbers and texts alike
// What the last call tells, as a text or as numbers.
inline std::string said;
inline std::vector<double> told;

inline std::string_view written_text(std::size_t size) {
    return {reinterpret_cast<const char*>(written.data()), size};
}

inline void tell(double number) { told.push_back(number); }

template <class Numbers>
void tell_all(const Numbers& numbers) {
    tell(static_cast<double>(numbers.size()));
    for (const auto number : numbers) tell(static_cast<double>(number));
}

inline int say(std::string text) {
    said = std::move(text);
    return static_cast<int>(said.size());
}

inline int told_size() { return static_cast<int>(told.size()); }

} // namespace sumito::border
