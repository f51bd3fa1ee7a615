package io.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.ConnectedClient;
import io.millrace.api.EngineMetrics;
import io.millrace.api.Lease;
import io.millrace.api.QueueStats;
import io.millrace.describe.Descriptions;
import io.millrace.describe.OpenData;
import io.millrace.engine.JobEngine;
import io.millrace.server.Server;
import io.millrace.spi.testkit.fault.CutProxy;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The view that a server gives of its clients and of its engine. */
@Timeout(60)
class SeenAtServerTest {

  private JobEngine engine;
  private Server server;

  @BeforeEach
  void start() {
    engine = JobEngine.open("memory:seen-" + UUID.randomUUID());
    server = Server.on(engine).listen("127.0.0.1:0");
  }

  @AfterEach
  void stop() {
    server.close();
    engine.close();
  }

  private RemoteQueues connect() {
    return RemoteQueues.connect("millrace://127.0.0.1:" + server.port());
  }

  private static void await(BooleanSupplier condition) {
    long beganNs = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - beganNs).as("waited in vain, ns").isLessThan(20_000_000_000L);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  private ConnectedClient only() {
    assertThat(server.clients()).hasSize(1);
    return server.clients().get(0);
  }

  @Test
  void client_isToldWithItsHostItsAddressAndItsCalls() {
    assertThat(server.clients()).isEmpty();
    Instant before = Instant.now();
    try (RemoteQueues queues = connect()) {
      CompletableFuture<List<Lease>> waiting =
          queues.queue("mail").claimAsync(ClaimOptions.by("w").waiting(Duration.ofHours(1)));
      await(() -> only().callCount() == 1);

      ConnectedClient client = only();
      ConnectedClient toldItself = queues.clients().get(0);

      assertThat(client.described()).endsWith(", pid " + ProcessHandle.current().pid());
      assertThat(client.address())
          .matches("127\\.0\\.0\\.1:\\d+")
          .doesNotEndWith(":" + server.port());
      assertThat(client.since()).isBetween(before, Instant.now());
      assertThat(client.isConnected()).isTrue();
      assertThat(client.leaseCount()).isZero();
      assertThat(toldItself.address()).isEqualTo(client.address());
      assertThat(toldItself.callCount()).as("the question as well").isEqualTo(2);
      waiting.cancel(false);
      await(() -> only().callCount() == 0);
    }
    await(() -> server.clients().isEmpty());
  }

  @Test
  void leases_areThoseThatTheClientHoldsNow() {
    for (int i = 0; i < 3; i++) {
      engine.queue("mail").enqueue(new byte[0]);
    }
    Lease others = engine.queue("mail").claim(ClaimOptions.by("here")).get(0);
    try (RemoteQueues queues = connect()) {
      List<Lease> leases = queues.queue("mail").claim(ClaimOptions.by("w").max(5));
      await(() -> only().leaseCount() == 2);

      assertThat(leases.get(0).complete().isDone()).isTrue();
      await(() -> only().leaseCount() == 1);

      assertThat(leases.get(1).release().isDone()).isTrue();
      await(() -> only().leaseCount() == 0);
    }
    assertThat(others.complete().isDone()).isTrue();
  }

  @Test
  void leaseThatRanOut_isNotCounted() {
    engine.queue("mail").enqueue(new byte[0]);
    try (RemoteQueues queues = connect()) {
      assertThat(
              queues.queue("mail").claim(ClaimOptions.by("w").leaseDuration(Duration.ofSeconds(1))))
          .hasSize(1);
      await(() -> only().leaseCount() == 1);
      await(() -> only().leaseCount() == 0);
    }
  }

  @Test
  void clientWhoseConnectionBroke_isToldAsGone_andHoldsWhatItHeldWhenItComesAgain()
      throws Exception {
    engine.queue("mail").enqueue(new byte[0]);
    try (CutProxy proxy = new CutProxy(server.port());
        RemoteQueues queues = RemoteQueues.connect("millrace://127.0.0.1:" + proxy.port())) {
      assertThat(queues.queue("mail").claim(ClaimOptions.by("w"))).hasSize(1);
      await(() -> only().leaseCount() == 1);
      String address = only().address();

      proxy.cut();
      await(() -> !only().address().equals(address) && only().isConnected());

      await(() -> only().leaseCount() == 1);
    }
  }

  @Test
  void metrics_areThoseOfTheEngine() {
    engine.queue("mail").enqueue(new byte[0]);
    var unused = engine.queue("mail").claim(ClaimOptions.by("w"));
    try (RemoteQueues queues = connect()) {
      EngineMetrics here;
      EngineMetrics told;
      do { // The engine may have synced something by itself between the two.
        here = engine.metrics();
        told = queues.metrics();
      } while (!lasting(here).equals(lasting(engine.metrics())));

      assertThat(told.operations(QueueStats.Total.ENQUEUED)).isEqualTo(1);
      assertThat(told.leaseCount()).isEqualTo(1);
      assertThat(told.at()).isBetween(here.at(), Instant.now());
      assertThat(lasting(told)).isEqualTo(lasting(here));
    }
  }

  /** Returns the figures that do not change by themselves, by their names, as JMX has them. */
  private static Map<String, Object> lasting(EngineMetrics metrics) {
    var data = OpenData.write(Descriptions.METRICS, metrics);
    Map<String, Object> values = new HashMap<>();
    data.getCompositeType().keySet().forEach(name -> values.put(name, data.get(name)));
    assertThat(values).hasSizeGreaterThan(25);
    values.keySet().removeAll(List.of("atMs", "openForMs", "windowBytes", "storeBytes", "health"));
    return values;
  }
}
