package io.millrace.outbox.jdbc;

import io.millrace.engine.JobEngine;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/** A process that runs a {@link Shop} until it is killed. */
final class ShopProcess {

  private ShopProcess() {}

  /**
   * The arguments: a seed, the location of the store, for how many milliseconds notes are kept at
   * least, and the words of the database.
   */
  public static void main(String[] args) throws Exception {
    Random random = new Random(Long.parseLong(args[0]));
    int rememberMs = Integer.parseInt(args[2]);
    List<String> database = List.of(args).subList(3, args.length);
    try (JobEngine engine = JobEngine.open(args[1])) {
      FaultySource slow = new FaultySource(Shop.database(database));
      // So that it is killed more often between the two commits of a relay.
      slow.beforeEach("DELETE", () -> LockSupport.parkNanos(random.nextInt(10_000_000)));
      Shop shop = new Shop(slow.source(), engine);
      shop.createTables();
      OutboxRelay relay =
          shop.outbox.relay(
              engine,
              options ->
                  options
                      .pollEvery(Duration.ofMillis(10))
                      .batchCountMax(1 + random.nextInt(20))
                      .rememberFor(Duration.ofMillis(rememberMs)));
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        Random own = new Random(random.nextLong());
        threads.add(thread(() -> shop.takeOrders(own, relay)));
      }
      threads.add(
          thread(
              () -> {
                while (true) {
                  shop.ship(Duration.ofMillis(50));
                }
              }));
      int least = 1 + random.nextInt(20); // done when it is killed, however slow the machine is
      OutboxRig.await(() -> relay.figures().relayed() >= least);
      System.out.println("working");
      threads.get(0).join(); // for ever
    }
  }

  /** The work of a thread. */
  @FunctionalInterface
  private interface Work {
    void run() throws SQLException;
  }

  private static Thread thread(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (SQLException | RuntimeException e) {
                e.printStackTrace();
                Runtime.getRuntime().halt(1);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
