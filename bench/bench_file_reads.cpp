/// Ways to read a file that memory does not hold, in turn: the disk's bandwidth and the CPU time
/// that each run of bytes costs.
///
///     pread            through the page cache, 8 threads
///     pread, direct    past it (O_DIRECT), 8 threads
///     io_uring, direct one thread, 64 runs under way
///     mmap, touch      8 threads touch a byte of each page
///     mmap, populate   the same by MADV_POPULATE_READ, a run at a time
///     readahead        8 threads ask for a run ahead of the one that they read by pread
///
/// Runs follow each other. What is in the page cache is dropped before each way reads.
///
/// Usage: bench_file_reads FILE [--rounds N] [--runs BYTES,…] [--most BYTES]
#include <fcntl.h>
#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include <kinjo/memory.hpp>

#include "base/input_file.hpp"
#include "base/text.hpp"
#include "measure/statistics.hpp"
#include "run_main.hpp"

namespace {

using kinjo::detail::FileHandle;

constexpr std::size_t kThreads = 8, kPage = 4096;
constexpr unsigned kUnderWay = 64;

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

FileHandle open_file(const std::string& path, int flags) {
  FileHandle file(open(path.c_str(), O_RDONLY | O_CLOEXEC | flags));
  if (!file) fail(path.c_str());
  return file;
}

/// Which bytes are read: `count` runs of `bytes`, one after another.
struct Runs {
  std::size_t bytes, count;
  off_t at(std::size_t run) const { return static_cast<off_t>(run * bytes); }
};

/// A file in memory.
class Mapped {
 public:
  Mapped(int file, std::size_t bytes) : bytes_(bytes) {
    memory_ = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, 0);
    if (memory_ == MAP_FAILED) fail("mmap");
  }
  ~Mapped() { munmap(memory_, bytes_); }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;
  char* data() const { return static_cast<char*>(memory_); }

 private:
  void* memory_;
  std::size_t bytes_;
};

/// Memory to read to, in huge pages as kinjo's slots are.
kinjo::Buffer buffer_of(std::size_t bytes) {
  kinjo::Buffer buffer = kinjo::alloc(bytes, {.pages = kinjo::Pages::transparent});
  std::memset(buffer.data(), 1, bytes);
  return buffer;
}

/// Calls `f(run, buffer)` for every run, in threads that take the next one each.
void share(const Runs& runs, const std::function<void(std::size_t, char*)>& f) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      kinjo::Buffer buffer = buffer_of(runs.bytes);
      char* const into = static_cast<char*>(buffer.data());
      for (std::size_t run; (run = next++) < runs.count;) f(run, into);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

void read_run(int file, const Runs& runs, std::size_t run, char* into) {
  if (pread(file, into, runs.bytes, runs.at(run)) != static_cast<ssize_t>(runs.bytes))
    fail("pread");
}

void by_pread(const std::string& path, const Runs& runs, int flags) {
  const FileHandle file = open_file(path, flags);
  share(runs, [&](std::size_t run, char* into) { read_run(file.get(), runs, run, into); });
}

void by_readahead(const std::string& path, const Runs& runs) {
  const FileHandle file = open_file(path, 0);
  share(runs, [&](std::size_t run, char* into) {
    if (run + kThreads < runs.count) readahead(file.get(), runs.at(run + kThreads), runs.bytes);
    read_run(file.get(), runs, run, into);
  });
}

enum class Populate { by_touch, by_advice };

void by_mapping(const std::string& path, const Runs& runs, Populate how) {
  const FileHandle file = open_file(path, 0);
  const Mapped mapped(file.get(), runs.count * runs.bytes);
  share(runs, [&](std::size_t run, char*) {
    char* const begin = mapped.data() + runs.at(run);
    if (how == Populate::by_advice) {
      if (madvise(begin, runs.bytes, MADV_POPULATE_READ) != 0) fail("MADV_POPULATE_READ");
      return;
    }
    for (std::size_t i = 0; i < runs.bytes; i += kPage) {
      static_cast<void>(*static_cast<volatile char*>(begin + i));
    }
  });
}

/// The rings of io_uring, by its system calls (io_uring(7)).
class Ring {
 public:
  Ring() {
    number_ = FileHandle(static_cast<int>(syscall(SYS_io_uring_setup, kUnderWay, &parameters_)));
    if (!number_) fail("io_uring_setup");
    const auto& sq = parameters_.sq_off;
    const auto& cq = parameters_.cq_off;
    sq_ = map(sq.array + parameters_.sq_entries * sizeof(unsigned), IORING_OFF_SQ_RING);
    cq_ = map(cq.cqes + parameters_.cq_entries * sizeof(io_uring_cqe), IORING_OFF_CQ_RING);
    entries_ = reinterpret_cast<io_uring_sqe*>(
        map(parameters_.sq_entries * sizeof(io_uring_sqe), IORING_OFF_SQES));
  }

  void submit(int file, off_t offset, std::size_t bytes, char* into, unsigned slot) {
    const unsigned tail = *word(sq_, parameters_.sq_off.tail);
    const unsigned at = tail & *word(sq_, parameters_.sq_off.ring_mask);
    entries_[at] = {};
    entries_[at].opcode = IORING_OP_READ;
    entries_[at].fd = file;
    entries_[at].off = static_cast<std::uint64_t>(offset);
    entries_[at].addr = reinterpret_cast<std::uintptr_t>(into);
    entries_[at].len = static_cast<unsigned>(bytes);
    entries_[at].user_data = slot;
    word(sq_, parameters_.sq_off.array)[at] = at;
    std::atomic_ref(*word(sq_, parameters_.sq_off.tail)).store(tail + 1, std::memory_order_release);
    ++submitted_;
  }
  /// Hands over what was submitted and waits for one; its slot.
  unsigned wait(std::size_t bytes) {
    unsigned& head = *word(cq_, parameters_.cq_off.head);
    const std::atomic_ref tail(*word(cq_, parameters_.cq_off.tail));
    while (submitted_ > 0 || head == tail.load(std::memory_order_acquire)) {
      const long done = syscall(SYS_io_uring_enter, number_.get(), submitted_,
                                head == tail.load(std::memory_order_acquire) ? 1 : 0,
                                IORING_ENTER_GETEVENTS, nullptr, 0);
      if (done < 0) fail("io_uring_enter");
      submitted_ -= static_cast<unsigned>(done);
    }
    const auto* const done = reinterpret_cast<const io_uring_cqe*>(cq_ + parameters_.cq_off.cqes) +
                             (head & *word(cq_, parameters_.cq_off.ring_mask));
    if (done->res != static_cast<int>(bytes)) throw std::runtime_error("a read fell short");
    const auto slot = static_cast<unsigned>(done->user_data);
    std::atomic_ref(head).store(head + 1, std::memory_order_release);
    return slot;
  }

 private:
  char* map(std::size_t bytes, std::uint64_t part) {  // goes with the process
    void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
                          number_.get(), static_cast<off_t>(part));
    if (at == MAP_FAILED) fail("mmap of a ring");
    return static_cast<char*>(at);
  }
  static unsigned* word(char* ring, unsigned offset) {
    return reinterpret_cast<unsigned*>(ring + offset);
  }

  io_uring_params parameters_{};
  FileHandle number_;
  char *sq_ = nullptr, *cq_ = nullptr;
  io_uring_sqe* entries_ = nullptr;
  unsigned submitted_ = 0;
};

void by_io_uring(const std::string& path, const Runs& runs) {
  const FileHandle file = open_file(path, O_DIRECT);
  kinjo::Buffer memory = buffer_of(kUnderWay * runs.bytes);
  char* const buffers = static_cast<char*>(memory.data());
  static Ring ring;
  std::size_t next = 0;
  const auto start = [&](unsigned slot) {
    ring.submit(file.get(), runs.at(next++), runs.bytes, buffers + slot * runs.bytes, slot);
  };
  for (unsigned slot = 0; slot < kUnderWay && next < runs.count; ++slot) start(slot);
  for (std::size_t ended = 0; ended < runs.count; ++ended) {
    const unsigned slot = ring.wait(runs.bytes);
    if (next < runs.count) start(slot);
  }
}

struct Way {
  const char* name;
  std::function<void(const std::string&, const Runs&)> read;
  std::vector<double> bandwidth = {}, cpu_microseconds = {}, from_disk = {};  ///< of each round
};

/// Of all threads.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// What this process had from disks: what was in the page cache in spite of all is not in it.
double disk_bytes() {
  unsigned long long bytes = 0;
  if (std::FILE* const io = std::fopen("/proc/self/io", "r")) {
    char line[128];
    while (std::fgets(line, sizeof(line), io)) std::sscanf(line, "read_bytes: %llu", &bytes);
    std::fclose(io);
  }
  return static_cast<double>(bytes);
}

void measure(Way& way, const std::string& path, const Runs& runs) {
  posix_fadvise(open_file(path, 0).get(), 0, 0, POSIX_FADV_DONTNEED);
  const double cpu = cpu_seconds(), disk = disk_bytes();
  const auto start = std::chrono::steady_clock::now();
  way.read(path, runs);
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  const auto count = static_cast<double>(runs.count);
  const double bytes = count * static_cast<double>(runs.bytes);
  way.bandwidth.push_back(bytes / passed.count() / 1e9);
  way.from_disk.push_back((disk_bytes() - disk) / bytes);
  way.cpu_microseconds.push_back(1e6 * (cpu_seconds() - cpu) / count);
}

void compare(const std::string& path, const Runs& runs, std::size_t rounds) {
  std::vector<Way> ways = {
      {"pread", [](auto& p, auto& r) { by_pread(p, r, 0); }},
      {"pread, direct", [](auto& p, auto& r) { by_pread(p, r, O_DIRECT); }},
      {"io_uring, direct", by_io_uring},
      {"mmap, touch", [](auto& p, auto& r) { by_mapping(p, r, Populate::by_touch); }},
      {"mmap, populate", [](auto& p, auto& r) { by_mapping(p, r, Populate::by_advice); }},
      {"readahead, pread", by_readahead}};
  for (std::size_t round = 0; round < rounds; ++round) {
    for (Way& way : ways) measure(way, path, runs);
  }
  for (const Way& way : ways) {
    const kinjo::Summary bandwidth = kinjo::summarize(way.bandwidth);
    std::printf(
        "%-18s %8s  %6.2f GB/s (%.2f to %.2f)  %7.1f µs of CPU time a run, %3.0f %% from the "
        "disk\n",
        way.name, kinjo::detail::format_bytes(runs.bytes).c_str(), bandwidth.median, bandwidth.low,
        bandwidth.high, kinjo::summarize(way.cpu_microseconds).median,
        100 * kinjo::summarize(way.from_disk).median);
  }
}

/// The value of `--NAME`, if it is there.
std::optional<std::string> option(std::span<char*> words, std::string_view name) {
  for (std::size_t i = 2; i + 1 < words.size(); ++i) {
    if (words[i] == name) return words[i + 1];
  }
  return std::nullopt;
}

std::size_t bytes_of(const std::string& text) {
  const auto bytes = kinjo::detail::parse_bytes(text);
  if (!bytes || *bytes == 0 || *bytes % kPage != 0) {
    throw std::runtime_error("'" + text + "': expected whole pages, such as 64K");
  }
  return *bytes;
}

void run(std::span<char*> words) {
  if (words.size() < 2) throw std::runtime_error("no file: expected bench_file_reads FILE");
  const std::string path = words[1];
  const std::size_t rounds =
      kinjo::bench::read_number(option(words, "--rounds").value_or("7"), "--rounds");
  const std::string lengths = option(words, "--runs").value_or("16K,64K,256K,2M");
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) fail(path.c_str());
  const std::size_t bytes = std::min(bytes_of(option(words, "--most").value_or("512M")),
                                     static_cast<std::size_t>(status.st_size));
  for (const std::string_view part : kinjo::detail::split(lengths, ',')) {
    const std::size_t length = bytes_of(std::string(part));
    if (length <= bytes) compare(path, {length, bytes / length}, rounds);
  }
}

}  // namespace

int main(int count, char** arguments) {
  return kinjo::bench::run_main("bench_file_reads", [&] {
    run({arguments, static_cast<std::size_t>(count)});
  });
}
