// SPDX-License-Identifier: MIT
#include "data/npy.hpp"

#include <cstdio>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kuiper_infer/utils/error.hpp"
#include "utils/error_text.hpp"

namespace kuiper_infer {
namespace {

/// Returns a file in NumPy's form.
std::string Npy(const std::string& dictionary, const std::string& payload, char version = 1) {
  std::string header = dictionary + "\n";
  std::string file = std::string("\x93NUMPY") + version + '\0';
  for (int byte = 0; byte < (version > 1 ? 4 : 2); ++byte) file += static_cast<char>(header.size() >> (8 * byte));
  return file + header + payload;
}

NdArray Parse(const std::string& bytes) { return ParseNpy(bytes.data(), bytes.size(), "x.npy"); }

std::string ErrorOf(const std::string& bytes) {
  return ErrorText(ErrorCode::kFile, [&] { Parse(bytes); });
}

const std::string kSixFloats(24, '\0');

TEST(NpyTest, RoundTripOfEveryType) {
  const std::string path = testing::TempDir() + "kuiper_npy_round_trip.npy";
  for (const auto type : {RuntimeDataType::kTypeFloat32, RuntimeDataType::kTypeFloat64, RuntimeDataType::kTypeFloat16,
                          RuntimeDataType::kTypeInt64, RuntimeDataType::kTypeInt32, RuntimeDataType::kTypeInt16,
                          RuntimeDataType::kTypeInt8, RuntimeDataType::kTypeUInt8, RuntimeDataType::kTypeBool,
                          RuntimeDataType::kTypeComplex64, RuntimeDataType::kTypeComplex128}) {
    for (const Shape& shape : {Shape{}, Shape{3}, Shape{2, 3}, Shape{2, 0, 3}}) {
      const NdArray array(type, shape);
      std::fill_n(array.data<char>(), ByteCount(type, shape), 1);
      WriteNpy(path, array);
      const NdArray read = ReadNpy(path);
      EXPECT_EQ(read.spec(), array.spec());
      EXPECT_EQ(std::string(read.data<char>(), read.data<char>() + ByteCount(type, shape)),
                std::string(array.data<char>(), array.data<char>() + ByteCount(type, shape)));
    }
  }
  std::remove(path.c_str());
}

/// Reads a file that NumPy wrote (test/data/npy/make_files.py).
NdArray ReadFixture(const std::string& name) { return ReadNpy(KUIPER_SOURCE_DIR "/test/data/npy/" + name + ".npy"); }

TEST(NpyTest, ReadsWhatNumPyWrites) {
  const std::vector<double> counting = {0, 1, 2, 3, 4, 5};
  for (const auto type : {RuntimeDataType::kTypeFloat16, RuntimeDataType::kTypeFloat32, RuntimeDataType::kTypeFloat64,
                          RuntimeDataType::kTypeInt8, RuntimeDataType::kTypeInt16, RuntimeDataType::kTypeInt32,
                          RuntimeDataType::kTypeInt64, RuntimeDataType::kTypeUInt8, RuntimeDataType::kTypeComplex64,
                          RuntimeDataType::kTypeComplex128}) {
    const NdArray array = ReadFixture(TypeName(type));
    EXPECT_EQ(array.spec(), TensorSpec(type, {2, 3}));
    const NdArray wide = array.To(RuntimeDataType::kTypeFloat64);
    EXPECT_EQ(std::vector<double>(wide.data<double>(), wide.data<double>() + 6), counting) << TypeName(type);
  }
  const NdArray flags = ReadFixture("bool");
  EXPECT_EQ(std::vector<bool>(flags.data<bool>(), flags.data<bool>() + 6),
            (std::vector<bool>{false, true, true, true, true, true}));
}

TEST(NpyTest, ReadsEveryOrderVersionAndRankThatNumPyWrites) {
  const NdArray fortran = ReadFixture("fortran");
  EXPECT_EQ(fortran.spec(), TensorSpec(RuntimeDataType::kTypeInt32, {2, 3, 4}));
  for (int32_t i = 0; i < 24; ++i) EXPECT_EQ(fortran.data<int32_t>()[i], i);
  for (const char* name : {"version2", "version3"}) {
    const NdArray array = ReadFixture(name);
    EXPECT_EQ(array.spec(), TensorSpec(RuntimeDataType::kTypeFloat32, {2, 3})) << name;
    EXPECT_EQ(array.data<float>()[5], 5) << name;
  }
  EXPECT_EQ(ReadFixture("scalar").shape(), Shape{});
  EXPECT_EQ(*ReadFixture("scalar").data<float>(), 2.5F);
  EXPECT_EQ(ReadFixture("empty").spec(), TensorSpec(RuntimeDataType::kTypeInt64, {2, 0, 3}));
  EXPECT_EQ(ReadFixture("vector").shape(), Shape{5});
}

TEST(NpyTest, RefusesElementTypesByName) {
  const auto error = [](const std::string& name) {
    try {
      ReadFixture(name);
    } catch (const Error& fault) {
      return std::string(fault.what());
    }
    return std::string();
  };
  EXPECT_THAT(error("big_endian"), testing::HasSubstr("big_endian.npy: npy element type '>f4' is not supported"));
  EXPECT_THAT(error("uint16"), testing::HasSubstr("'<u2'"));
  EXPECT_THAT(error("object"), testing::HasSubstr("'|O'"));
  EXPECT_THAT(error("text"), testing::HasSubstr("'<U2'"));
  EXPECT_THAT(error("structured"), testing::HasSubstr("structured"));
}

TEST(NpyTest, FortranOrderAndLaterVersions) {
  std::string payload;
  for (char i = 0; i < 6; ++i) payload += i;
  const std::string dictionary = "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }";
  for (const char version : {1, 2, 3}) {
    const NdArray array = Parse(Npy(dictionary, payload, version));
    EXPECT_EQ(array.shape(), (Shape{2, 3}));
    EXPECT_EQ(array.data<uint8_t>()[1], 2);
    EXPECT_EQ(array.data<uint8_t>()[3], 1);
  }
}

TEST(NpyTest, FaultsAreNamed) {
  using testing::HasSubstr;
  EXPECT_THAT(ErrorOf("hello"), HasSubstr("x.npy: is not a NumPy"));
  EXPECT_THAT(ErrorOf(Npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", kSixFloats, 9)),
              HasSubstr("version 9"));
  EXPECT_THAT(ErrorOf(Npy("{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3), }", kSixFloats)),
              HasSubstr("'>f4'"));
  EXPECT_THAT(ErrorOf(Npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2, 3), }", kSixFloats)),
              HasSubstr("structured"));
  EXPECT_THAT(ErrorOf(Npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", "short")),
              HasSubstr("holds 5 bytes of data, expected 24"));
  EXPECT_THAT(ErrorOf(Npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, -3), }", kSixFloats)),
              HasSubstr("faulty shape"));
  EXPECT_THAT(ErrorOf(Npy("{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 9), }", kSixFloats)),
              HasSubstr("x.npy"));
  EXPECT_THAT(ErrorOf(Npy("{'descr': '<f4', 'fortran_order': Maybe, 'shape': (2, 3), }", kSixFloats)),
              HasSubstr("fortran_order"));
  EXPECT_THAT(ErrorOf(Npy("{'fortran_order': False, 'shape': (2, 3), }", kSixFloats)), HasSubstr("'descr'"));
  EXPECT_THAT(ErrorOf(std::string("\x93NUMPY\x01\x00\xFF\xFF{}", 12)), HasSubstr("longer than the file"));
  EXPECT_THAT(ErrorOf(Npy(std::string(2 << 20, ' '), "", 2)), HasSubstr("the npy header has 2097"));
  EXPECT_THROW(ReadNpy("/nonexistent.npy"), Error);
  EXPECT_THROW(ReadNpy("/tmp"), Error);
  EXPECT_THROW(WriteNpy("/nonexistent/x.npy", NdArray(RuntimeDataType::kTypeFloat32, {1})), Error);
}

TEST(NpyTest, HostileHeadersArePrintedHarmlessly) {
  using testing::HasSubstr;
  const auto npy = [](const std::string& type, int axes) {
    std::string shape;
    for (int i = 0; i < axes; ++i) shape += "1,";
    return Npy("{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }", "abcd");
  };
  EXPECT_THAT(ErrorOf(npy("\x1b[31m\xff", 1)), HasSubstr("npy element type '?[31m?' is not supported"));
  EXPECT_THAT(ErrorOf(npy(std::string(50000, 'f'), 1)), HasSubstr("'" + std::string(40, 'f') + "...'"));
  EXPECT_EQ(Parse(npy("<f4", 64)).rank(), 64);
  EXPECT_THAT(ErrorOf(npy("<f4", 65)), HasSubstr("x.npy: the npy array has more than 64 axes"));
  EXPECT_THAT(ErrorOf(npy("<f4", 30000)), HasSubstr("x.npy: the npy array has more than 64 axes"));
}

TEST(NpyTest, EveryTruncationIsAnError) {
  const std::string whole = Npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", kSixFloats);
  for (std::size_t size = 0; size < whole.size(); ++size) EXPECT_NE(ErrorOf(whole.substr(0, size)), "") << size;
}

}  // namespace
}  // namespace kuiper_infer
