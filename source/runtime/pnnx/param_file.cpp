// SPDX-License-Identifier: MIT
#include "runtime/pnnx/param_file.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "kuiper_infer/utils/error.hpp"
#include "runtime/pnnx/foreign_files.hpp"
#include "utils/shorten.hpp"

namespace pnnx {

using kuiper_infer::Error;
using kuiper_infer::ErrorCode;
using kuiper_infer::Shorten;

namespace {

std::vector<std::string> Tokenize(const std::string& line) {
  std::vector<std::string> tokens;
  std::size_t at = 0;
  while (true) {
    at = line.find_first_not_of(" \t\r", at);
    if (at == std::string::npos) return tokens;
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    tokens.push_back(line.substr(at, end - at));
    at = end;
  }
}

/// Throws if the name says that the file holds a model of another format.
void CheckName(const std::string& path) {
  const std::string way = WayFromForeignFile(path);
  if (!way.empty()) throw Error(ErrorCode::kFile, path + ": is " + way);
}

}  // namespace

ParamFile ParamFile::Open(const std::string& path) {
  const auto source = kuiper_infer::ByteSource::OpenFile(path);
  CheckName(path);
  return ParamFile(kuiper_infer::TextLines(source));
}

ParamFile ParamFile::FromMemory(std::string_view text) {
  return ParamFile(kuiper_infer::TextLines(kuiper_infer::ByteSource::OfMemory(text, kParamText)));
}

void ParamFile::Fail(const std::string& text) const {
  throw Error(ErrorCode::kFile, lines_.name() + ":" + std::to_string(lines_.number()) + ": " + text);
}

void ParamFile::ExpectEnd(const std::string& read) {
  for (std::string line; lines_.Next(line);) {
    if (!Tokenize(line).empty()) Fail("found more text behind " + read);
  }
}

std::vector<std::string> ParamFile::NextLine(const std::string& expected) {
  std::string line;
  if (!lines_.Next(line)) Fail("the file ends here, expected " + expected);
  if (line.find('\0') != std::string::npos) Fail("found a zero byte, expected text");
  return Tokenize(line);
}

int64_t ParamFile::ReadCount(const std::string& text, const char* what) const {
  char* end = nullptr;
  const long long value = std::strtoll(text.c_str(), &end, 10);
  if (end == text.c_str() || *end != '\0' || value < 0 || value > std::numeric_limits<int>::max()) {
    Fail(std::string(what) + " is '" + Shorten(text) + "', expected a number from 0 to 2147483647");
  }
  return value;
}

ParamFile::Spec ParamFile::ReadSpec(const std::string& text, const std::string& what, bool dynamic) const {
  const std::size_t close = text.find(')');
  if (text.empty() || text[0] != '(' || close == std::string::npos) {
    Fail(what + " is '" + Shorten(text) + "', expected a shape and type such as (1,3)f32");
  }
  Spec spec;
  const std::string inner = text.substr(1, close - 1);
  for (std::size_t at = 0; at < inner.size();) {
    const std::size_t end = std::min(inner.find(',', at), inner.size());
    if (spec.extents.size() == kuiper_infer::kMostAxes) {
      Fail(what + " has more than " + std::to_string(kuiper_infer::kMostAxes) + " extents");
    }
    spec.extents.push_back(ReadExtent(what, inner.substr(at, end - at), dynamic));
    at = end + 1;
  }
  const std::string type = text.substr(close + 1);
  spec.type = kuiper_infer::TypeFromPnnxName(type);
  // The converter writes "null" for types that it does not know.
  if (spec.type == kuiper_infer::RuntimeDataType::kTypeUnknown && !type.empty() && type != "null") {
    Fail(what + " has the element type '" + Shorten(type) + "', expected one such as f32 or i64, or null");
  }
  CheckSize(what, spec);
  return spec;
}

int ParamFile::ReadExtent(const std::string& what, const std::string& text, bool dynamic) const {
  constexpr long long kConverterSymbol = -233;
  if (dynamic && (text == "?" || (!text.empty() && text[0] == '%'))) return -1;
  char* end = nullptr;
  const long long extent = std::strtoll(text.c_str(), &end, 10);
  const bool number = !text.empty() && *end == '\0';
  if (dynamic && number && (extent == -1 || extent == kConverterSymbol)) return -1;
  if (!number || extent < 0 || extent > std::numeric_limits<int>::max()) {
    Fail(what + " has the extent '" + Shorten(text) + "', expected a number from 0 to 2147483647");
  }
  return static_cast<int>(extent);
}

void ParamFile::CheckSize(const std::string& what, const Spec& spec) const {
  kuiper_infer::Shape shape(spec.extents.begin(), spec.extents.end());
  std::replace(shape.begin(), shape.end(), int64_t{-1}, int64_t{1});
  try {
    kuiper_infer::ByteCount(spec.type, shape);
  } catch (const Error& error) {
    Fail(what + ": " + error.what());
  }
}

}  // namespace pnnx
