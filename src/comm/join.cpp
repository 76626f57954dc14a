// How a process finds the world that it was started into. Cells of one host are those that see the
// same kernel, network and process numbers; the first of them makes the memory file, which the
// others open through its process.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <kinjo/binding.hpp>
#include <kinjo/comm_start.hpp>
#include <kinjo/topology.hpp>

#include "base/text.hpp"
#include "comm/exchange.hpp"
#include "comm/pmix.hpp"
#include "comm/ucx/connect.hpp"
#include "comm/world_impl.hpp"

namespace kinjo::comm {
namespace {

using detail::Cells;
using detail::Exchange;
using detail::Identity;
using detail::SharedMemory;
using detail::WorldImpl;

constexpr const char* kVariable = "KINJO_CELLS";

/// Where this process is pinned: its CPU if that is one, and the node that all its CPUs belong to.
Identity identify(int index, int cell) {
  Identity me{.index = index, .cell = cell};
  const CpuSet cpus = thread_affinity();
  if (cpus.count() == 1) me.cpu = cpus.first();
  int node = -1;
  for (const Cpu& cpu : Topology::this_machine().cpus()) {
    if (!cpus.contains(cpu.cpu)) continue;
    if (node >= 0 && node != cpu.node) return me;
    node = cpu.node;
  }
  me.node = node;
  return me;
}

std::string first_line(const char* path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// The same for processes that can share memory, and for no others.
std::string host_key() {
  std::string key = first_line("/proc/sys/kernel/random/boot_id");
  for (const char* space : {"/proc/self/ns/net", "/proc/self/ns/pid", "/proc/self/ns/uts"}) {
    struct stat status {};
    if (stat(space, &status) == 0) key += fmt::format(":{}", status.st_ino);
  }
  return key;
}

std::string fetch_text(Exchange& exchange, int cell, const char* key,
                       Exchange::Clock::time_point deadline) {
  const std::vector<std::byte> bytes = exchange.fetch(cell, key, deadline);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void publish_text(Exchange& exchange, const char* key, const std::string& text) {
  exchange.publish(key, std::as_bytes(std::span(text.data(), text.size())));
}

/// What each cell shows to all others when it comes, as text: its world, its program, its options,
/// its host, one behind the other with blanks between.
struct Card {
  std::uint32_t world = 0;  ///< cell 0's is that of all: no other world has it
  std::string program;      ///< what lies in packets and in shared memory follows from it
  std::string options;      ///< on other hosts; on this one the board compares
  std::string host;
};

Card card_of_mine(const WorldOptions& options) {
  constexpr bool kIsLittle = std::endian::native == std::endian::little;
  const auto ticks = Exchange::Clock::now().time_since_epoch().count();
  return {.world = static_cast<std::uint32_t>(ticks ^ getpid()),
          .program = KINJO_VERSION + std::string(kIsLittle ? ":little-endian" : ":big-endian"),
          .options = fmt::format("{}:{}", options.heap_bytes, detail::hash_of(options.handlers)),
          .host = host_key()};
}

/// Shows `mine`, and collects all cells'.
std::vector<Card> exchange_cards(Exchange& exchange, const Card& mine,
                                 Exchange::Clock::time_point deadline) {
  publish_text(exchange, "kinjo.card",
               fmt::format("{} {} {} {}", mine.world, mine.program, mine.options, mine.host));
  exchange.share(deadline);
  std::vector<Card> cards;
  for (int cell = 0; cell < exchange.cells(); ++cell) {
    std::istringstream text(fetch_text(exchange, cell, "kinjo.card", deadline));
    Card& card = cards.emplace_back();
    text >> card.world >> card.program >> card.options >> card.host;
  }
  return cards;
}

/// Groups the cells by host. Cells of a host keep their order.
Cells find_hosts(int me, const std::vector<Card>& cards) {
  Cells cells{.cell = me, .count = static_cast<int>(cards.size()), .members = {}, .leaders = {}};
  std::vector<std::string> hosts;
  std::vector<std::size_t> host_of;
  for (int cell = 0; cell < cells.count; ++cell) {
    const std::string& host = cards[static_cast<std::size_t>(cell)].host;
    const auto known = std::find(hosts.begin(), hosts.end(), host);
    host_of.push_back(static_cast<std::size_t>(known - hosts.begin()));
    if (known == hosts.end()) {
      hosts.push_back(host);
      cells.leaders.push_back(cell);
    }
  }
  const std::size_t mine = host_of[static_cast<std::size_t>(cells.cell)];
  cells.host = static_cast<int>(mine);
  for (int cell = 0; cell < cells.count; ++cell) {
    if (host_of[static_cast<std::size_t>(cell)] == mine) cells.members.push_back(cell);
  }
  return cells;
}

/// The memory file of this host: made by its first cell, opened by the others.
int share_memory_file(Exchange& exchange, const Cells& cells,
                      Exchange::Clock::time_point deadline) {
  const int leader = cells.members.front();
  if (cells.cell == leader) {
    const int file = detail::create_memory_file(static_cast<int>(cells.members.size()));
    publish_text(exchange, "kinjo.memory", fmt::format("/proc/{}/fd/{}", getpid(), file));
    return file;
  }
  const std::string path = fetch_text(exchange, leader, "kinjo.memory", deadline);
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) {
    throw Error(Errc::system, fmt::format("cannot open the memory of cell {} ({}): {}", leader,
                                          path, kinjo::detail::errno_name(errno)));
  }
  return file;
}

void compare_cards(int me, const std::vector<Card>& cards) {
  const Card& mine = cards[static_cast<std::size_t>(me)];
  for (std::size_t cell = 0; cell < cards.size(); ++cell) {
    if (cards[cell].program != mine.program) {
      throw Error(
          Errc::invalid_argument,
          fmt::format("cells {} and {} are built with different kinjo, {} and {}: expected "
                      "the same program on every host",
                      me, cell, mine.program, kinjo::detail::printable(cards[cell].program)));
    }
    if (cards[cell].options == mine.options) continue;
    throw Error(Errc::invalid_argument,
                fmt::format("cells {} and {} ask for different symmetric memory or handlers: "
                            "expected the same heap_bytes and the same names in the same order on "
                            "every cell",
                            me, cell));
  }
}

World join_pmix_world(const WorldOptions& options) {
  std::shared_ptr<Exchange> exchange = detail::join_pmix();
  const auto deadline = detail::patience_from_now(options.patience);
  const std::vector<Card> cards = exchange_cards(*exchange, card_of_mine(options), deadline);
  compare_cards(exchange->cell(), cards);
  Cells cells = find_hosts(exchange->cell(), cards);
  const int file = share_memory_file(*exchange, cells, deadline);
  const int members = static_cast<int>(cells.members.size());
  const auto me = std::find(cells.members.begin(), cells.members.end(), cells.cell);
  auto impl = std::make_unique<WorldImpl>(
      cells, SharedMemory::map_board(file, members),
      identify(static_cast<int>(me - cells.members.begin()), cells.cell), Path::shared, options);
  close(file);  // all have mapped it: they have met
  impl->exchange = exchange;
  if (members == cells.count) return World(std::move(impl));
  detail::RemoteSetup setup{.cell = cells.cell,
                            .cells = cells.count,
                            .remote = {},
                            .memory = {impl->own(), impl->heap_bytes},
                            .patience = options.patience,
                            .exchange = exchange.get(),
                            .world = cards.front().world,
                            .handlers = options.handlers.size()};
  for (int cell = 0; cell < cells.count; ++cell) {
    if (impl->base(cell) == nullptr) setup.remote.push_back(cell);
  }
  impl->remote = detail::connect_remote(setup);
  return World(std::move(impl));
}

/// What `KINJO_CELLS` says: cell:count:file:device:inode.
struct Launched {
  int cell = -1;
  int count = 0;
  int file = -1;
  unsigned long long device = 0;
  unsigned long long inode = 0;
};

Launched read_launched() {
  const std::string text = std::getenv(kVariable);
  Launched found;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%d:%d:%d:%llu:%llu%c", &found.cell, &found.count, &found.file,
                  &found.device, &found.inode, &rest) != 5 ||
      found.cell < 0 || found.cell >= found.count || found.file < 0) {
    throw Error(Errc::bad_input, fmt::format("{} is '{}': expected cell:count:file:device:inode, "
                                             "which `kinjo cells launch` sets",
                                             kVariable, kinjo::detail::printable(text)));
  }
  return found;
}

/// A program between may have closed the file, and its number may be another's now, into which
/// nobody must write.
void check_passed_on(const Launched& found) {
  struct stat status {};
  if (fstat(found.file, &status) == 0 && status.st_dev == found.device &&
      status.st_ino == found.inode) {
    return;
  }
  throw Error(Errc::bad_input,
              fmt::format("the memory that `kinjo cells launch` passed on as file descriptor {} "
                          "has been closed: start the program so that descriptors stay open (in "
                          "Python: subprocess with close_fds=False)",
                          found.file));
}

World join_launched(const WorldOptions& options) {
  const Launched found = read_launched();
  check_passed_on(found);
  auto memory = SharedMemory::map_board(found.file, found.count);
  // Rings, flags and barriers are as the last one left them.
  if (!memory->take(found.cell)) {
    throw Error(Errc::usage, fmt::format("cell {} of this launch has joined before: a launch is "
                                         "for one program",
                                         found.cell));
  }
  Cells cells{.cell = found.cell, .count = found.count, .members = {}, .leaders = {0}};
  for (int i = 0; i < found.count; ++i) cells.members.push_back(i);
  auto impl = std::make_unique<WorldImpl>(std::move(cells), std::move(memory),
                                          identify(found.cell, found.cell), Path::shared, options);
  close(found.file);
  // A child of this process is no cell.
  unsetenv(kVariable);
  return World(std::move(impl));
}

World join_alone(const WorldOptions& options) {
  const std::size_t heap = detail::Reserve(1).with_heap(options.heap_bytes);
  const Identity me = identify(0, 0);
  return World(std::make_unique<WorldImpl>(Cells{.members = {0}, .leaders = {0}},
                                           SharedMemory::allocate({me.node}, heap), me,
                                           Path::threads, options));
}

}  // namespace

Launcher launcher() {
  if (std::getenv(kVariable) != nullptr) return Launcher::kinjo;
  return detail::pmix_is_there() ? Launcher::pmix : Launcher::none;
}

World join(const WorldOptions& options) {
  switch (launcher()) {
    case Launcher::kinjo:
      return join_launched(options);
    case Launcher::pmix:
      return join_pmix_world(options);
    case Launcher::none:
      break;
  }
  return join_alone(options);
}

}  // namespace kinjo::comm
