/**
 * A Java program, run from its source by `java Sums.java [THREADS]`: sums 1 to 20 million with
 * threads named sum-0, sum-1, … in rounds (rounds.h). Without THREADS it has as many as the virtual
 * machine counts CPUs.
 */
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLong;

class Sums {
  static final long LAST = 20_000_000;
  static volatile boolean ended;

  /** A thread of its own: available() does not tell an end from silence. */
  static void watchInput() {
    Thread watcher = new Thread(() -> {
      try {
        while (System.in.read() >= 0) continue;
      } catch (java.io.IOException error) {
        // ended as well
      }
      ended = true;
    });
    watcher.setDaemon(true);
    watcher.start();
  }

  public static void main(String[] arguments) throws Exception {
    int count = arguments.length > 0 ? Integer.parseInt(arguments[0])
                                     : Runtime.getRuntime().availableProcessors();
    AtomicLong total = new AtomicLong();
    CyclicBarrier round = new CyclicBarrier(count + 1);
    for (int i = 0; i < count; ++i) start(i, count, total, round);
    watchInput();
    for (boolean told = false; !(told && ended); told = true) {
      round.await();  // the threads add
      round.await();  // they have
      long sum = total.getAndSet(0);
      if (sum != LAST * (LAST + 1) / 2) System.exit(1);
      if (!told) System.out.println("threads " + count + "\nresult " + sum);
    }
    System.exit(0);  // the threads wait for another round
  }

  static void start(int first, int count, AtomicLong total, CyclicBarrier round) {
    Thread thread = new Thread(() -> {
      try {
        while (true) {
          round.await();
          long sum = 0;
          for (long i = first + 1; i <= LAST; i += count) sum += i;
          total.addAndGet(sum);
          round.await();
        }
      } catch (Exception error) {
        System.exit(1);
      }
    }, "sum-" + first);
    thread.start();
  }
}
