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
import java.util.function.ToIntFunction;
import org.h2.tools.Server;
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

  /** The moment at which a process is killed. */
  private enum Kill {
    AT_WORK,
    AT_ANY_MOMENT
  }

  /** The rows of a shop that was killed again and again, and went on to its end. */
  private record Left(List<String> orders, List<String> jobs, List<String> shipped, String seed) {}

  @Test
  void kill_withPostgres_eachOrderHasOneJob() throws Exception {
    PGSimpleDataSource source = PostgresSchemas.newSchema();
    String port = Integer.toString(source.getPortNumbers()[0]);

    Left left =
        killAndGoOn(
            random -> random.nextInt(2_000),
            "postgres",
            port,
            String.valueOf(source.getCurrentSchema()));

    assertThat(left.jobs).as(left.seed).containsExactlyInAnyOrderElementsOf(left.orders);
    assertThat(left.shipped).as(left.seed).containsExactlyInAnyOrderElementsOf(left.orders);
  }

  @Test
  void kill_withH2InAnotherProcess_eachOrderHasOneJob() throws Exception {
    String baseDir = folder.toString();
    Server server =
        Server.createTcpServer("-tcpPort", "0", "-ifNotExists", "-baseDir", baseDir).start();
    try {
      // Without the delay H2 closes its database with each process that is killed, and opens it
      // again for the next: it has damaged its file so, and lost commits with it, see
      // https://github.com/h2database/h2database/issues/2752.
      String url = "jdbc:h2:tcp://localhost:" + server.getPort() + "/./shop;DB_CLOSE_DELAY=-1";

      Left left = killAndGoOn(random -> random.nextInt(2_000), "h2", url);

      assertThat(left.jobs).as(left.seed).containsExactlyInAnyOrderElementsOf(left.orders);
      assertThat(left.shipped).as(left.seed).containsExactlyInAnyOrderElementsOf(left.orders);
    } finally {
      server.stop();
    }
  }

  /**
   * H2 in the process that is killed loses its newest commits with it, whatever its settings: of
   * orders, which had their jobs by then, and of the deletes of rows, which are there again.
   */
  @Test
  void kill_withADatabaseThatLosesItsNewestCommits_noOrderIsWithoutAJobAndNoneHasTwo()
      throws Exception {
    Left left =
        killAndGoOn(
            random -> 3_600_000, "h2", "jdbc:h2:file:" + folder.resolve("shop") + ";WRITE_DELAY=0");

    assertThat(left.jobs).as(left.seed).doesNotHaveDuplicates().containsAll(left.orders);
  }

  private Left killAndGoOn(ToIntFunction<Random> rememberMs, String... database) throws Exception {
    long seed = Trials.seed();
    Random random = new Random(seed);
    String location = "lmdb:" + folder.resolve("store");
    int kills = Trials.count("outboxKills", 1, 2, 1_000);
    for (int i = 0; i < kills; i++) {
      live(
          i == 0 ? Kill.AT_WORK : Kill.AT_ANY_MOMENT,
          random,
          location,
          rememberMs.applyAsInt(random),
          List.of(database));
    }

    try (JobEngine engine = JobEngine.open(location)) {
      Shop shop = new Shop(Shop.database(List.of(database)), engine);
      shop.createTables();
      try (OutboxRelay relay = shop.outbox.relay(engine)) {
        while (!shop.isIdle()) {
          shop.ship(Duration.ofMillis(100));
          relay.relayNow();
        }
      }
      assertThat(engine.verify().isClean()).isTrue();
      Left left =
          new Left(shop.ids("orders"), shop.ordersOfJobs(), shop.ids("shipped"), "seed " + seed);
      Trials.report(
          getClass(),
          "%s: %d kills, %d orders, %d jobs, seed %d"
              .formatted(database[0], kills, left.orders.size(), left.jobs.size(), seed));
      assertThat(left.jobs).isNotEmpty();
      return left;
    }
  }

  private static void live(
      Kill when, Random random, String location, int rememberMs, List<String> database)
      throws Exception {
    List<String> command = new ArrayList<>(Machine.java());
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=off");
    command.add(ShopProcess.class.getName());
    command.add(Long.toString(random.nextLong()));
    command.add(location);
    command.add(Integer.toString(rememberMs));
    command.addAll(database);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try {
      if (when == Kill.AT_ANY_MOMENT
          && random.nextInt(6) == 0) { // it may be opening its store, or not even that
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
