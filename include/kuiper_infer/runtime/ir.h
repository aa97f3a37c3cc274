// SPDX-License-Identifier: MIT
#pragma once

#include <complex>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kuiper_infer {
class StoredBytes;
class Value;
}  // namespace kuiper_infer

/// The PNNX intermediate representation: what the converter writes, as objects.
namespace pnnx {

/// A parameter of an operator. The kind decides which member holds the value.
class Parameter {
 public:
  Parameter() = default;
  Parameter(bool value) : type(1), b(value) {}                                  // NOLINT: written as plain values
  Parameter(int value) : type(2), i(value) {}                                   // NOLINT
  Parameter(float value) : type(3), f(value) {}                                 // NOLINT
  Parameter(double value) : type(3), f(static_cast<float>(value)) {}            // NOLINT
  Parameter(const char* value) : type(4), s(value) {}                           // NOLINT
  Parameter(std::string value) : type(4), s(std::move(value)) {}                // NOLINT
  Parameter(std::vector<int> value) : type(5), ai(std::move(value)) {}          // NOLINT
  Parameter(std::initializer_list<int> value) : type(5), ai(value) {}           // NOLINT
  Parameter(std::vector<float> value) : type(6), af(std::move(value)) {}        // NOLINT
  Parameter(std::vector<std::string> value) : type(7), as(std::move(value)) {}  // NOLINT
  Parameter(std::complex<float> value) : type(10), c(value) {}                  // NOLINT

  /// Reads a value as files write it: None, True, 3, 1.0e-05, same, (1,2), (0.5,2.0), (a,b), 1.0e+00+-9.0e-01j. Numbers
  /// that do not fit saturate; a list of integers and floats is a list of floats. The text is kept.
  static Parameter parse_from_string(const std::string& value);
  /// The value as files write it.
  std::string encode_to_string() const;

  /// 0 null, 1 bool, 2 int, 3 float, 4 string, 5 ints, 6 floats, 7 strings, 10 complex, 11 complex list.
  int type = 0;
  bool b = false;
  int i = 0;
  float f = 0;
  std::complex<float> c;
  std::vector<int> ai;
  std::vector<float> af;
  std::vector<std::complex<float>> ac;
  std::string s;
  std::vector<std::string> as;
  /// The value as the file wrote it; empty for values made in code.
  std::string text;
  /// The value with all digits of the file, where the members above hold fewer: they have 32 bits for a number. An
  /// integer that 64 bits do not hold either is a text in it. Null for values that the members above hold exactly.
  std::shared_ptr<const kuiper_infer::Value> exact;
};

bool operator==(const Parameter& left, const Parameter& right);

/// A weight: element type, shape and bytes in row-major order.
class Attribute {
 public:
  Attribute() = default;
  /// A float32 attribute with these values.
  Attribute(std::vector<int> attribute_shape, const std::vector<float>& values);

  /// Bytes of one element; 0 for an unknown type.
  std::size_t elemsize() const;
  /// The number of elements. Throws kuiper_infer::Error on a faulty shape.
  int64_t elemcount() const;
  /// The elements converted to float32. Throws kuiper_infer::Error if `data` does not have the bytes of type and shape.
  std::vector<float> get_float32_data() const;
  /// Replaces the elements by `values` converted to the attribute's type. Throws kuiper_infer::Error unless there are
  /// elemcount() of them.
  void set_float32_data(const std::vector<float>& values);

  /// 0 null, 1 f32, 2 f64, 3 f16, 4 i32, 5 i64, 6 i16, 7 i8, 8 u8, 9 bool, 10 c64, 11 c128, 12 c32, 13 bf16.
  int type = 0;
  std::vector<int> shape;
  std::vector<char> data;
  /// Where the bytes are while `data` is empty: in a graph that the library loads for itself, large weights stay in
  /// their file until something reads them. Null in all other graphs.
  std::shared_ptr<const kuiper_infer::StoredBytes> stored;
};

class Operator;

/// An edge of the graph: produced once, consumed any number of times.
class Operand {
 public:
  /// Removes an operator from the consumers once.
  void remove_consumer(const Operator* consumer);

  Operator* producer = nullptr;
  std::vector<Operator*> consumers;  ///< an operator that reads the operand twice is listed twice
  int type = 0;                      ///< as Attribute::type
  std::vector<int> shape;            ///< -1 where the extent is only known at run time
  bool has_shape = false;            ///< the file states a shape; an empty one is rank 0
  std::string name;
  std::map<std::string, Parameter> params;
};

/// An operator of the graph: one line of the file.
class Operator {
 public:
  std::vector<Operand*> inputs;
  std::vector<Operand*> outputs;
  std::string type;
  std::string name;
  std::vector<std::string> inputnames;  ///< PyTorch's argument name per input, empty where the file gives none
  std::map<std::string, Parameter> params;
  std::map<std::string, Attribute> attrs;
};

/// A model. It owns its operators and operands; pointers to them stay valid as long as the graph lives.
class Graph {
 public:
  Graph() = default;
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  /// Replaces the contents by those of two files. Returns 0 on success; otherwise the graph is empty and error() says
  /// why.
  int load(const std::string& param_path, const std::string& bin_path);
  /// Writes both files in the converter's format. Returns 0 on success; otherwise error() says why.
  int save(const std::string& param_path, const std::string& bin_path);
  /// Why the last load or save failed.
  const std::string& error() const { return error_; }

  /// Does what load does, but throws kuiper_infer::Error(kFile) naming file and line. Without a bin path the attributes
  /// have no data. Attributes of more than `most_bytes` (0: no limit) throw Error(kResource) before they are read.
  void Load(const std::string& param_path, const std::string& bin_path, int64_t most_bytes = 0);
  /// Loads from the contents of the two files, neither of which is needed after the call. Throws what Load throws; the
  /// messages name "the param text" with its line, or "the bin bytes".
  void LoadFromMemory(std::string_view param_text, std::string_view bin_bytes, int64_t most_bytes = 0);

  /// Adds an operator at the end.
  Operator* new_operator(const std::string& type, const std::string& name);
  /// Inserts an operator before `cur`, or at the end if `cur` is not part of the graph.
  Operator* new_operator_before(const std::string& type, const std::string& name, const Operator* cur);
  /// Inserts an operator after `cur`, or at the end if `cur` is not part of the graph.
  Operator* new_operator_after(const std::string& type, const std::string& name, const Operator* cur);
  /// Adds an operand without producer and consumers.
  Operand* new_operand(const std::string& name);
  /// The operand of that name; null if there is none.
  Operand* get_operand(const std::string& name);
  const Operand* get_operand(const std::string& name) const;

  std::vector<Operator*> ops;
  std::vector<Operand*> operands;

 private:
  void Swap(Graph& loaded);

  std::vector<std::unique_ptr<Operator>> owned_ops_;
  std::vector<std::unique_ptr<Operand>> owned_operands_;
  std::map<std::string, Operand*> by_name_;
  std::string error_;
};

}  // namespace pnnx
