#include "base/npy.hpp"

#include <gtest/gtest.h>

#include "support/expect.hpp"

namespace kinjo::detail {
namespace {

using test::error_of;

/// A file of a version with a dictionary.
std::string file_of(std::string text, int major = 1, int minor = 0) {
  while ((text.size() + (major == 1 ? 10 : 12)) % 64 != 63) text += ' ';
  text += '\n';
  std::string bytes = "\x93NUMPY";
  bytes += {static_cast<char>(major), static_cast<char>(minor),
            static_cast<char>(text.size() & 255), static_cast<char>(text.size() >> 8)};
  if (major != 1) bytes += {'\0', '\0'};
  return bytes + text;
}

constexpr const char* kPlain = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }";

TEST(Npy, VersionsOneToThreeAreRead) {
  for (const int major : {1, 2, 3}) {
    const NpyHeader header = parse_npy_header(file_of(kPlain, major), "A.npy");
    EXPECT_EQ(header, (NpyHeader{NpyType::float64, NpyOrder::c, {3, 4}, 128})) << major;
    EXPECT_EQ(header.data_bytes(), 96u);
  }
}

TEST(Npy, WhatPythonWouldReadAlikeIsReadAlike) {
  const struct {
    const char* text;
    NpyHeader header;
  } cases[] = {
      {"{'descr': '<f4', 'fortran_order': True, 'shape': (5,), }",
       {NpyType::float32, NpyOrder::fortran, {5}, 0}},
      {"{\"shape\":(2,3,4),\"descr\":\"<f8\",\"fortran_order\":False}",
       {NpyType::float64, NpyOrder::c, {2, 3, 4}, 0}},
      {"{ 'shape' : () , 'fortran_order' : False , 'descr' : '<f8' }",
       {NpyType::float64, NpyOrder::c, {}, 0}},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (0, 576460752303423488)}",
       {NpyType::float64, NpyOrder::c, {0, std::uint64_t{1} << 59}, 0}},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (300L, 4L)}",  // Python 2
       {NpyType::float64, NpyOrder::c, {300, 4}, 0}},
  };
  for (auto c : cases) {
    const std::string bytes = file_of(c.text);
    c.header.data_offset = bytes.size();

    EXPECT_EQ(parse_npy_header(bytes, "A.npy"), c.header) << c.text;
  }
}

TEST(Npy, WhatIsWrittenIsReadBack) {
  for (const std::size_t alignment : {64, 4096}) {
    for (const auto& shape : {std::vector<std::uint64_t>{3, 4}, {7}, {}, {1u << 20, 0, 3}}) {
      const NpyHeader header{NpyType::float32, NpyOrder::fortran, shape,
                             alignment == 64 ? 128u : 4096u};
      const std::string text = npy_header_text(header, alignment);
      EXPECT_EQ(text.size(), header.data_offset);
      EXPECT_EQ(parse_npy_header(text, "A.npy"), header);
    }
  }
}

TEST(Npy, RefusalsSayWhatWasExpected) {
  const struct {
    std::string bytes;
    const char* fault;
  } cases[] = {
      {"", "it is no .npy file: expected it to begin with \\x93NUMPY"},
      {"PK\x03\x04", "it is no .npy file: expected it to begin with \\x93NUMPY"},
      {std::string("\x93NUMPY\x01", 7),
       "its header is cut off after 7 bytes: expected at least 10"},
      {file_of(kPlain).substr(0, 60),
       "its header is cut off after 60 bytes: expected at least 128"},
      {file_of(kPlain, 4), "it has version 4.0: expected 1.0, 2.0 or 3.0"},
      {file_of(kPlain, 1, 1), "it has version 1.1: expected 1.0, 2.0 or 3.0"},
      {std::string("\x93NUMPY\x02\x00\x00\x00\x00\x7f", 12),
       "its header is cut off after 12 bytes: expected at least 2130706444"},
      {std::string("\x93NUMPY\x02\x00\x00\x00\x00\x7f", 12) + std::string(kNpyHeaderMost - 12, ' '),
       "its header has 2130706432 bytes: expected at most 65524"},
      {file_of("{'descr': '>f8', 'fortran_order': False, 'shape': (3, 4), }"),
       "its elements are '>f8': expected float32 or float64, little-endian ('<f4' or '<f8')"},
      {file_of("{'descr': '<i8', 'fortran_order': False, 'shape': (3, 4), }"),
       "its elements are '<i8': expected float32 or float64, little-endian ('<f4' or '<f8')"},
      {file_of("{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (3, 4), }"),
       "its elements are records: expected float32 or float64, little-endian ('<f4' or '<f8')"},
      {file_of("('descr')"), "character 1 of its header: expected a dictionary"},
      {file_of("{'descr': '<f8', 'descr': '<f8'}"),
       "character 18 of its header: expected descr, fortran_order and shape, each once"},
      {file_of("{'other': 1}"),
       "character 2 of its header: expected descr, fortran_order and shape, each once"},
      {file_of("{'descr': '<f8', 'shape': (3, 4)}"),
       "character 55 of its header: expected the key 'fortran_order'"},
      {file_of("{'descr': '<f8', 'fortran_order': 0, 'shape': (3, 4)}"),
       "character 35 of its header: expected True or False"},
      {file_of("{'descr': '<f8', 'fortran_order': False, 'shape': (3)}"),
       "character 53 of its header: expected , behind the only number of a tuple"},
      {file_of("{'descr': '<f8', 'fortran_order': False, 'shape': (3L, 4)}", 3),
       "character 53 of its header: expected , behind the only number of a tuple"},
      {file_of("{'descr': '<f8', 'fortran_order': False, 'shape': (3LL, 4)}"),
       "character 54 of its header: expected , behind the only number of a tuple"},
      {file_of("{'descr': '<f8', 'fortran_order': False, 'shape': (-3, 4)}"),
       "character 52 of its header: expected a size from 0 to 2^63 - 1"},
      {file_of("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4)} x"),
       "character 59 of its header: expected the end of the header"},
      {file_of("{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296)}"),
       "its shape exceeds the size of a file"},
      // NumPy does not read it: `array is too big`.
      {file_of("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 9223372036854775807)}"),
       "its shape exceeds the size of a file"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(error_of([&] { parse_npy_header(c.bytes, "A.npy"); }),
              std::string("bad_input: cannot read 'A.npy': ") + c.fault);
  }
}

TEST(Npy, EveryTypeIsReadAndWrittenByItsName) {
  constexpr struct {
    NpyType type;
    const char *name, *description;
    std::size_t bytes;
  } cases[] = {
      {NpyType::float32, "float32", "<f4", 4}, {NpyType::complex128, "complex128", "<c16", 16},
      {NpyType::int8, "int8", "|i1", 1},       {NpyType::int64, "int64", "<i8", 8},
      {NpyType::uint16, "uint16", "<u2", 2},   {NpyType::uint64, "uint64", "<u8", 8},
      {NpyType::boolean, "bool", "|b1", 1}};
  for (const auto& c : cases) {
    EXPECT_STREQ(to_string(c.type), c.name);
    EXPECT_EQ(bytes_of(c.type), c.bytes);
    const std::string text = npy_header_text({c.type, NpyOrder::c, {7}, 0});
    EXPECT_NE(text.find(std::string("'") + c.description + "'"), std::string::npos) << text;
    EXPECT_EQ(parse_npy_header(text, "A.npy", NpyElements::any).type, c.type);
  }
}

TEST(Npy, ComplexElementsAreReadWhereTheyAreAskedFor) {
  const std::string bytes = file_of("{'descr': '<c16', 'fortran_order': False, 'shape': (5,), }");
  const NpyHeader header = parse_npy_header(bytes, "A.npy", NpyElements::any);
  EXPECT_EQ(header, (NpyHeader{NpyType::complex128, NpyOrder::c, {5}, bytes.size()}));
  EXPECT_EQ(header.data_bytes(), 80u);
  EXPECT_EQ(error_of([&] { parse_npy_header(bytes, "A.npy"); }),
            "bad_input: cannot read 'A.npy': its elements are '<c16': expected float32 or float64, "
            "little-endian ('<f4' or '<f8')");
  EXPECT_EQ(error_of([] {
              parse_npy_header(file_of("{'descr': '>c8', 'fortran_order': False, 'shape': (5,), }"),
                               "A.npy", NpyElements::any);
            }),
            "bad_input: cannot read 'A.npy': its elements are '>c8': expected float32, float64, "
            "complex64, complex128, bool or integers, little-endian ('<f4', '<f8', '<c8', '<c16', "
            "'<i8' …)");
}

TEST(Npy, ElementsMustBeginAtAMultipleOfTheirSize) {
  std::string bytes = file_of(kPlain);
  bytes[8] = static_cast<char>(bytes[8] - 4);  // the text ends before its last blanks
  EXPECT_EQ(
      error_of([&] { parse_npy_header(bytes, "A.npy"); }),
      "bad_input: cannot read 'A.npy': its elements begin at byte 124: expected a multiple of 8");
}

}  // namespace
}  // namespace kinjo::detail
