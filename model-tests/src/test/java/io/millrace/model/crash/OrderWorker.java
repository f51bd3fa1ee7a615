package io.millrace.model.crash;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EngineOptions;
import io.millrace.engine.JobEngine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;

/**
 * A process in which orders come in, are worked on and are answered, while days pass, until it is
 * killed. It is told what to do by one line, and says {@code working} when it has done something.
 */
final class OrderWorker {

  private static final int WORKER_COUNT = 3;
  private static final int OPEN_COUNT_MAX = 40;
  private static final int REHEARSED_COUNT = 40;

  /** Orders that are done are kept for ten years, and nobody knows how long a life lasts. */
  private static final int DAYS_MAX = 40;

  private static final Duration IDLE = Duration.ofMillis(5);

  private OrderWorker() {}

  /**
   * What it is told.
   *
   * @param folder where ledger and days are kept
   * @param least how often it has worked on an order when it says so
   */
  record Task(String location, Path folder, long seed, int least) {

    static Task parse(String line) {
      String[] words = line.split(" ");
      return new Task(
          words[0], Path.of(words[1]), Long.parseLong(words[2]), Integer.parseInt(words[3]));
    }

    String text() {
      return location + " " + folder + " " + seed + " " + least;
    }

    LeapingClock clock() throws IOException {
      return new LeapingClock(folder.resolve("days"));
    }

    JobEngine open(LeapingClock clock) {
      return JobEngine.open(location, EngineOptions.DEFAULT.clock(clock));
    }

    Orders orders(JobEngine engine, Random random) {
      return new Orders(engine, new Ledger(folder.resolve("ledger"), random));
    }
  }

  /** Without arguments. */
  public static void main(String[] args) throws Exception {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Task task = Task.parse(in.readLine());
    Random random = new Random(task.seed());
    CountDownLatch least = new CountDownLatch(task.least());
    LeapingClock clock = task.clock();
    Orders orders = task.orders(task.open(clock), new Random(random.nextLong()));
    for (int i = 0; i < WORKER_COUNT; i++) {
      ClaimOptions worker = ClaimOptions.by("worker " + i).waiting(IDLE);
      EndlessStep.start(random.nextLong(), own -> work(orders, worker, clock, least, own));
    }
    least.await();
    System.out.println("working");
    System.in.transferTo(OutputStream.nullOutputStream());
    Runtime.getRuntime().halt(0);
  }

  /** Does a little of its work, on each kind of store, and ends cleanly. */
  static void rehearse(Path folder) throws IOException {
    for (String scheme : List.of("lmdb", "rocksdb")) {
      Path own = Files.createDirectories(folder.resolve("orders-" + scheme));
      Task task = new Task(scheme + ":" + own.resolve("store"), own, 1, 1);
      Random random = new Random(task.seed());
      LeapingClock clock = task.clock();
      try (JobEngine engine = task.open(clock)) {
        Orders orders = task.orders(engine, random);
        for (int i = 0; i < REHEARSED_COUNT; i++) {
          work(
              orders,
              ClaimOptions.by("worker").waiting(IDLE),
              clock,
              new CountDownLatch(1),
              random);
        }
      }
    }
  }

  /** Whoever finds nothing to do lets a day pass; now and then while others are at work. */
  private static void work(
      Orders orders, ClaimOptions worker, LeapingClock clock, CountDownLatch least, Random random) {
    if (random.nextInt(4) == 0 && orders.openCount() < OPEN_COUNT_MAX) {
      orders.issue(random);
    }
    boolean isAnswered = random.nextBoolean() && orders.answerNext();
    if (orders.workNext(worker)) {
      least.countDown();
    } else if ((!isAnswered || random.nextInt(10) == 0)
        && (least.getCount() > 0 || clock.leapCount() < DAYS_MAX)) {
      clock.leap();
    }
  }
}
