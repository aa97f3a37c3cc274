// SPDX-License-Identifier: MIT
#include "kuiper_infer/text/tokenizer.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "parts.hpp"

namespace kuiper_infer::python {
namespace {

using text::StreamDecoder;
using text::Tokenizer;

/// UTF-8 from Python, read in place.
std::string_view ViewOf(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

std::vector<int64_t> Encode(const Tokenizer& tokenizer, const nb::bytes& utf8, bool add_special, bool parse_special) {
  const std::string_view view = ViewOf(utf8);
  const nb::gil_scoped_release release;
  return tokenizer.Encode(view, {add_special, parse_special});
}

/// `given`: pairs of a text and whether it is markup.
std::vector<int64_t> EncodeParts(const Tokenizer& tokenizer, const std::vector<std::pair<nb::bytes, bool>>& given) {
  std::vector<text::PromptPart> parts;
  parts.reserve(given.size());
  for (const auto& [utf8, markup] : given) parts.push_back({std::string(ViewOf(utf8)), markup});
  const nb::gil_scoped_release release;
  return tokenizer.Encode(parts);
}

/// Token names are as in the file, which may hold bytes that are no UTF-8.
nb::str Decode(const Tokenizer& tokenizer, const std::vector<int64_t>& tokens, bool special) {
  std::string decoded;
  {
    const nb::gil_scoped_release release;
    decoded = tokenizer.Decode(tokens, special);
  }
  return Text(decoded);
}

}  // namespace

void AddTokenizer(nb::module_& module) {
  nb::class_<Tokenizer>(module, "Tokenizer")
      .def_static(
          "load",
          [](const nb::bytes& path) {
            const std::string file = PathOf(path);
            const nb::gil_scoped_release release;
            return Tokenizer::Load(file);
          },
          nb::arg("path"))
      .def_static(
          "load_bytes",
          [](const nb::bytes& contents, const std::string& name) {
            const std::string_view view = ViewOf(contents);
            const nb::gil_scoped_release release;
            return Tokenizer::LoadFromMemory(view, name);
          },
          nb::arg("contents"), nb::arg("name"))
      .def("encode", &Encode, nb::arg("utf8"), nb::arg("add_special"), nb::arg("parse_special"))
      .def("encode_parts", &EncodeParts, nb::arg("parts"))
      .def("decode", &Decode, nb::arg("tokens"), nb::arg("special"))
      .def("size", &Tokenizer::size)
      .def(
          "find", [](const Tokenizer& tokenizer, const nb::bytes& name) { return tokenizer.Find(ViewOf(name)); },
          nb::arg("name"))
      .def(
          "name", [](const Tokenizer& tokenizer, int64_t token) { return Text(tokenizer.Name(token)); },
          nb::arg("token"))
      .def("special", &Tokenizer::special, nb::arg("token"))
      .def("chat_template", [](const Tokenizer& tokenizer) { return Text(tokenizer.chat_template()); })
      .def("beginning", &Tokenizer::beginning)
      .def("endings", &Tokenizer::endings);
  nb::class_<StreamDecoder>(module, "StreamDecoder")
      .def(nb::init<Tokenizer, bool>(), nb::arg("tokenizer"), nb::arg("special"))
      .def(
          "push", [](StreamDecoder& decoder, int64_t token) { return Text(decoder.Push(token)); }, nb::arg("token"))
      .def("finish", [](StreamDecoder& decoder) { return Text(decoder.Finish()); })
      .def("pending",
           [](const StreamDecoder& decoder) { return nb::bytes(decoder.pending().data(), decoder.pending().size()); });
}

}  // namespace kuiper_infer::python
