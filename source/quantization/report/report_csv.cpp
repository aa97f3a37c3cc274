// SPDX-License-Identifier: MIT
#include "quantization/report/report_csv.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::quantization {
namespace {

constexpr const char* kHeader = "layer,type,form,sqnr_db,before_ms,after_ms,before_bytes,after_bytes,reason";
constexpr std::size_t kFields = 9;

std::string Quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string NumberText(const std::optional<double>& value, int digits) {
  if (!value) return "";
  if (std::isinf(*value)) return *value > 0 ? "inf" : "-inf";
  char text[64];
  std::snprintf(text, sizeof(text), "%.*f", digits, *value);
  return text;
}

std::string NumberText(const std::optional<int64_t>& value) { return value ? std::to_string(*value) : ""; }

/// Reads records, whose quoted fields may hold line feeds.
class Reader {
 public:
  Reader(const std::string& text, const std::string& file) : text_(text), file_(file) {}

  bool AtEnd() const { return at_ >= text_.size(); }

  std::vector<std::string> Record() {
    record_ = at_;
    std::vector<std::string> fields{Field()};
    while (at_ < text_.size() && text_[at_] == ',') {
      ++at_;
      fields.push_back(Field());
    }
    if (at_ < text_.size() && text_[at_] == '\r') ++at_;
    if (at_ < text_.size() && text_[at_++] != '\n')
      Fail("found text behind a closing quotation mark, expected a comma");
    return fields;
  }

  template <class T, class Read>
  std::optional<T> Number(const std::string& text, const Read& read) const {
    if (text.empty()) return std::nullopt;
    char* end = nullptr;
    const T value = read(text.c_str(), &end);
    if (end != text.c_str() + text.size()) Fail("found '" + text + "', expected a number");
    return value;
  }

  [[noreturn]] void Fail(const std::string& what) const {
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(record_), '\n');
    throw Error(ErrorCode::kFile, file_ + ": line " + std::to_string(line) + ": " + what);
  }

 private:
  std::string Field() {
    if (at_ >= text_.size() || text_[at_] != '"') {
      const std::size_t end = std::min(text_.find_first_of(",\r\n", at_), text_.size());
      const std::string field = text_.substr(at_, end - at_);
      at_ = end;
      return field;
    }
    std::string field;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"' && (at_ + 1 >= text_.size() || text_[at_ + 1] != '"')) {
        ++at_;
        return field;
      }
      if (text_[at_] == '"') ++at_;
      field += text_[at_];
    }
    Fail("a quotation mark is not closed");
  }

  const std::string& text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::size_t record_ = 0;  ///< the place in the text where the last record begins
};

}  // namespace

std::string ReportCsv(const Report& report) {
  std::string text = std::string(kHeader) + "\n";
  for (const LayerRow& row : report.layers) {
    text += Quoted(row.name) + "," + Quoted(row.type) + "," + row.form + "," + NumberText(row.decibels, 2) + "," +
            NumberText(row.before_ms, 4) + "," + NumberText(row.after_ms, 4) + "," + NumberText(row.before_bytes) +
            "," + NumberText(row.after_bytes) + "," + Quoted(row.reason) + "\n";
  }
  return text;
}

std::vector<LayerRow> ReadReportCsv(const std::string& text, const std::string& file) {
  const std::string header = text.substr(0, text.find_first_of("\r\n"));
  if (header != kHeader) throw Error(ErrorCode::kFile, file + ": line 1 is not '" + kHeader + "'");
  Reader reader(text, file);
  reader.Record();
  std::vector<LayerRow> rows;
  while (!reader.AtEnd()) {
    const std::vector<std::string> fields = reader.Record();
    if (fields.size() != kFields) {
      reader.Fail("found " + std::to_string(fields.size()) + " fields, expected " + std::to_string(kFields));
    }
    const auto real = [&](std::size_t i) { return reader.Number<double>(fields[i], std::strtod); };
    const auto whole = [&](std::size_t i) {
      return reader.Number<int64_t>(fields[i],
                                    [](const char* from, char** end) { return std::strtoll(from, end, 10); });
    };
    rows.push_back({fields[0], fields[1], fields[2], fields[8], real(3), real(4), real(5), whole(6), whole(7)});
  }
  return rows;
}

}  // namespace kuiper_infer::quantization
