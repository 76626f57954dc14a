#include "observe/memory_maps.hpp"

#include "support/expect.hpp"

namespace kinjo::detail {
namespace {

using test::error_of;

NumaMapping one_mapping(std::string_view line) {
  const auto mappings = parse_numa_maps(line, 4096);
  EXPECT_EQ(mappings.size(), 1u) << line;
  return mappings.empty() ? NumaMapping{} : mappings[0];
}

TEST(NumaMaps, CountsPagesOfTheKernelsSizeByNode) {
  // As recorded: an ordinary file, a transparent huge page (512 small ones), a huge page of the
  // pool.
  const auto mappings = parse_numa_maps(
      "555ca34b4000 default file=/usr/bin/head mapped=6 mapmax=2 N0=4 N1=2 kernelpagesize_kB=4\n"
      "7f0000000000 bind:1 anon=512 dirty=512 N1=512 kernelpagesize_kB=4\n"
      "7f1000000000 interleave:0-1 file=/anon_hugepage\\040(deleted) huge anon=3 dirty=3 N0=2 N1=1 "
      "kernelpagesize_kB=2048\n"
      "7f2000000000 default\n",
      4096);
  ASSERT_EQ(mappings.size(), 4u);
  EXPECT_EQ(mappings[0].begin, 0x555ca34b4000u);
  EXPECT_EQ(mappings[0].name, "/usr/bin/head");
  EXPECT_EQ(mappings[0].bytes, (NodeBytes{{0, 4 * 4096}, {1, 2 * 4096}}));
  EXPECT_EQ(mappings[1].policy, "bind:1");
  EXPECT_EQ(mappings[1].bytes, (NodeBytes{{1, 512 * 4096}}));
  EXPECT_EQ(mappings[2].name, "/anon_hugepage (deleted)");
  EXPECT_EQ(mappings[2].page_bytes, 2048u * 1024);
  EXPECT_EQ(mappings[2].bytes, (NodeBytes{{0, 2 * 2048 * 1024}, {1, 2048 * 1024}}));
  EXPECT_EQ(total_bytes(mappings[2].bytes), 3u * 2048 * 1024);
  EXPECT_TRUE(mappings[3].bytes.empty());
}

TEST(NumaMaps, NamesHeapAndStack) {
  EXPECT_EQ(one_mapping("1000 default heap anon=1 N0=1 kernelpagesize_kB=4").name, "[heap]");
  EXPECT_EQ(one_mapping("1000 default stack anon=1 N0=1 kernelpagesize_kB=4").name, "[stack]");
}

TEST(NumaMaps, KnowsThePolicyThatHoldsABlank) {
  const NumaMapping mapping = one_mapping("1000 prefer (many):0-1 anon=1 N1=1 kernelpagesize_kB=4");
  EXPECT_EQ(mapping.policy, "prefer (many):0-1");
  EXPECT_EQ(mapping.bytes, (NodeBytes{{1, 4096}}));
}

TEST(NumaMaps, TakesTheSystemsPageWhereTheKernelNamesNone) {
  EXPECT_EQ(parse_numa_maps("1000 default N0=2", 16384)[0].bytes, (NodeBytes{{0, 32768}}));
}

TEST(NumaMaps, OfAProcessWithoutMemoryAreEmpty) { EXPECT_TRUE(parse_numa_maps("", 4096).empty()); }

TEST(NumaMaps, NameTheDamagedLine) {
  const auto refusal = [](std::string_view line) {
    return error_of([&] { parse_numa_maps("1000 default\n" + std::string(line), 4096); });
  };
  const std::string begin = "bad_input: malformed numa_maps, line 2, at ";
  EXPECT_EQ(refusal("xyz default"), begin + "'xyz default': expected an address in hexadecimal");
  EXPECT_EQ(refusal("2000"), begin + "'2000': expected a memory policy behind the address");
  const std::string words = ": expected pages of a node as N0=123, or kernelpagesize_kB=4";
  EXPECT_EQ(refusal("2000 default N0=-1"), begin + "'N0=-1'" + words);
  EXPECT_EQ(refusal("2000 default N0"), begin + "'N0'" + words);
  EXPECT_EQ(refusal("2000 default N99999999=1"), begin + "'N99999999=1'" + words);
  EXPECT_EQ(refusal("2000 default N0=1 kernelpagesize_kB=0"),
            begin + "'kernelpagesize_kB=0'" + words);
  EXPECT_EQ(refusal("2000 default N0=18446744073709551615 kernelpagesize_kB=4"),
            begin +
                "'2000 default N0=18446744073709551615 kernelpagesize_kB=4': expected less than "
                "16 EiB in a mapping");
}

TEST(Maps, TellsRangesAndNames) {
  const auto ranges = parse_maps(
      "5600d2bd4000-5600d2cf5000 rw-p 00000000 00:00 0                          [heap]\n"
      "7f2b2b5d9000-7f2b2b65a000 rw-p 00000000 00:00 0 \n"
      "7f2b2b6e2000-7f2b2b838000 r-xp 00026000 fe:00 1835 /tmp/a\\012b c\n"
      "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]\n");
  ASSERT_EQ(ranges.size(), 4u);
  EXPECT_EQ(ranges[0].begin, 0x5600d2bd4000u);
  EXPECT_EQ(ranges[0].end, 0x5600d2cf5000u);
  EXPECT_EQ(ranges[0].name, "[heap]");
  EXPECT_EQ(ranges[1].name, "");
  EXPECT_EQ(ranges[2].name, "/tmp/a\nb c");
  EXPECT_EQ(ranges[3].begin, 0xffffffffff600000u);
}

TEST(Maps, NameTheDamagedLine) {
  const auto refusal = [](std::string_view text) { return error_of([&] { parse_maps(text); }); };
  EXPECT_EQ(refusal("\n2000-1000 rw-p 0 0:0 0"),
            "bad_input: malformed maps, line 2, at '2000-1000 rw-p 0 0:0 0': expected a range of "
            "addresses as 1000-2000");
  EXPECT_EQ(refusal("1000"),
            "bad_input: malformed maps, line 1, at '1000': expected a range of "
            "addresses as 1000-2000");
  EXPECT_EQ(refusal("1000-2000 rw-p"),
            "bad_input: malformed maps, line 1, at '1000-2000 rw-p': expected permissions, offset, "
            "device and inode");
}

}  // namespace
}  // namespace kinjo::detail
