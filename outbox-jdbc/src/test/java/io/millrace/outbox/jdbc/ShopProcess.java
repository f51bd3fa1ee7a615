package io.millrace.outbox.jdbc;

import io.millrace.engine.JobEngine;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A process that runs a {@link Shop} until it is killed. */
final class ShopProcess {

  private ShopProcess() {}

  /** The arguments: a seed, the location of the store, and the words of the database. */
  public static void main(String[] args) throws Exception {
    Random random = new Random(Long.parseLong(args[0]));
    List<String> database = List.of(args).subList(2, args.length);
    try (JobEngine engine = JobEngine.open(args[1])) {
      Shop shop = new Shop(Shop.database(database), engine);
      shop.createTables();
      OutboxRelay relay =
          shop.outbox.relay(
              engine,
              options ->
                  options
                      .pollEvery(Duration.ofMillis(10))
                      .batchCountMax(1 + random.nextInt(20))
                      .rememberFor(Duration.ofMillis(random.nextInt(2_000))));
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
      System.out.println("working");
      threads.get(0).join(); // for ever
    }
  }

  /** What a thread does. */
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
