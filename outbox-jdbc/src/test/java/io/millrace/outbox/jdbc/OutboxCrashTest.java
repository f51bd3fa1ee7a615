package io.millrace.outbox.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.engine.JobEngine;
import io.millrace.spi.testkit.fault.Machine;
import io.millrace.spi.testkit.fault.Trials;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Kills a shop at random moments: engine, relay, handlers and those who take orders are one
 * process. Afterwards each order has exactly one job, and each job an order.
 */
@Tag("slow")
@Timeout(value = 1, unit = TimeUnit.HOURS)
class OutboxCrashTest {

  private static final int LIFE_US_MAX = 400_000;
  private static final int OPENING_US_MAX = 1_500_000;

  @TempDir Path folder;

  @Test
  void kill_withPostgres_eachOrderHasOneJob() throws Exception {
    PGSimpleDataSource source = PostgresServer.newSchema();
    killAndCheck(
        List.of(
            "postgres",
            Integer.toString(source.getPortNumbers()[0]),
            String.valueOf(source.getCurrentSchema())));
  }

  @Test
  void kill_withH2InAFile_eachOrderHasOneJob() throws Exception {
    // Without the delay H2 writes a commit at once, not within half a second.
    killAndCheck(List.of("h2", "jdbc:h2:file:" + folder.resolve("shop") + ";WRITE_DELAY=0"));
  }

  private void killAndCheck(List<String> database) throws Exception {
    long seed = Trials.seed();
    Random random = new Random(seed);
    String location = "lmdb:" + folder.resolve("store");
    int kills = Trials.count("outboxKills", 4, 15, 1_000);
    for (int i = 0; i < kills; i++) {
      live(random, location, database);
    }

    try (JobEngine engine = JobEngine.open(location)) {
      Shop shop = new Shop(Shop.database(database), engine);
      shop.createTables();
      try (OutboxRelay relay = shop.outbox.relay(engine)) {
        while (!shop.isIdle()) {
          shop.ship(Duration.ofMillis(100));
          relay.relayNow();
        }
      }
      List<String> orders = shop.ids("orders");
      Trials.report(
          getClass(),
          "%s: %d kills, %d orders, seed %d"
              .formatted(database.get(0), kills, orders.size(), seed));
      assertThat(orders).as("seed %s", seed).isNotEmpty();
      assertThat(shop.ordersOfJobs())
          .as("seed %s", seed)
          .containsExactlyInAnyOrderElementsOf(orders);
      assertThat(shop.ids("shipped"))
          .as("seed %s", seed)
          .containsExactlyInAnyOrderElementsOf(orders);
      assertThat(engine.verify().isClean()).isTrue();
    }
  }

  private static void live(Random random, String location, List<String> database) throws Exception {
    List<String> command = new ArrayList<>(Machine.java());
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=off");
    command.add(ShopProcess.class.getName());
    command.add(Long.toString(random.nextLong()));
    command.add(location);
    command.addAll(database);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try {
      if (random.nextInt(6) == 0) { // it may be opening its store, or not even that
        process.waitFor(random.nextInt(OPENING_US_MAX), TimeUnit.MICROSECONDS);
      } else {
        assertThat(process.inputReader(UTF_8).readLine()).isEqualTo("working");
        process.waitFor(random.nextInt(LIFE_US_MAX), TimeUnit.MICROSECONDS);
      }
      assertThat(process.isAlive()).as("it ends only if something in it failed").isTrue();
    } finally {
      process.destroyForcibly();
      Machine.join(process);
    }
  }
}
