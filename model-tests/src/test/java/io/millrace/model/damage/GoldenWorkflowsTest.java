package io.millrace.model.damage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ZERO;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Codec;
import io.millrace.api.CompleteResult;
import io.millrace.api.DeadFilter;
import io.millrace.api.EngineOptions.LeasesAtOpen;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.RowResult;
import io.millrace.api.SignalResult;
import io.millrace.api.StuckResult;
import io.millrace.api.Table;
import io.millrace.api.TableRange;
import io.millrace.api.TableRow;
import io.millrace.api.WaitResult;
import io.millrace.api.Wake;
import io.millrace.engine.JobEngine;
import io.millrace.internal.format.BroadcastKeys;
import io.millrace.internal.format.InboxKeys;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.TableCatalog;
import io.millrace.internal.format.TableKeys;
import io.millrace.model.damage.Contents.Stop;
import io.millrace.model.damage.GoldenStore.Content;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tables, waits and signals of older versions mean the same to this one. That all of it is there is
 * compared by {@link GoldenStoreTest}.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@Tag("slow")
class GoldenWorkflowsTest extends GoldenTest {

  private static final List<QueueName> QUEUES =
      List.of(
          GoldenWorkflows.STEPS,
          GoldenWorkflows.ACME,
          GoldenWorkflows.LATER,
          GoldenWorkflows.CROWD);

  /** What is left when neither a job is nor a table. */
  private static final Set<Keyspace> LEFT =
      EnumSet.of(
          Keyspace.META, Keyspace.QUEUE, Keyspace.QUEUE_NAME, Keyspace.COUNTERS, Keyspace.AGENDA);

  private static final Duration HOUR = Duration.ofHours(1);

  /** When the last delay and the last deadline are long over. */
  private static final int HOURS_OF_WORK = 8;

  /** Longer than any broadcast is kept. */
  private static final Duration BROADCASTS_OVER = Duration.ofDays(11);

  static List<GoldenStore> stores() {
    return GoldenStore.of(Content.WORKFLOWS).toList();
  }

  @ParameterizedTest
  @MethodSource("stores")
  void rows_ofAnOlderVersion_areOfEveryKind(GoldenStore golden) throws IOException {
    GoldenReading reading = reading(golden);

    Set<String> kinds = new TreeSet<>();
    reading.rows(Keyspace.SIGNAL).keySet().forEach(key -> kinds.add(kindOfSignal(key.array())));
    reading.rows(Keyspace.TABLE).keySet().forEach(key -> kinds.add(kindOfTable(key.array())));
    reading.rows(Keyspace.WAITING).keySet().forEach(key -> kinds.add("waiting"));

    assertThat(kinds)
        .containsExactly(
            "broadcast kept",
            "broadcast under way",
            "inbox",
            "row",
            "table",
            "table dropped",
            "waiting");
  }

  private static String kindOfSignal(byte[] key) {
    if (BroadcastKeys.isOne(key)) {
      return "broadcast under way";
    }
    return InboxKeys.isOne(key) ? "inbox" : "broadcast kept";
  }

  private static String kindOfTable(byte[] key) {
    if (!TableKeys.isOwn(key)) {
      return "row";
    }
    return TableCatalog.isDroppedKey(key) ? "table dropped" : "table";
  }

  @ParameterizedTest
  @MethodSource("stores")
  void tables_ofAnOlderVersion_areReadChangedAndGuarded(GoldenStore golden) throws IOException {
    GoldenReading reading = reading(golden);
    try (JobEngine engine = reading.open()) {
      reading.clock().awaitSleeper();
      Table<String, Long> stock = engine.table(GoldenWorkflows.STOCK, Codec.TEXT, Codec.LONG);
      Table<String, byte[]> notes = bytes(engine, GoldenWorkflows.NOTES);
      JobId made = job(engine, "made").id();

      assertThat(stock.get("boots")).contains(6L);
      assertThat(stock.replace("gloves", -1L, 2L).isDone()).isTrue();
      assertThat(stock.putIfAbsent("boots", 1L)).isEqualTo(new RowResult.Other<>(Optional.of(6L)));
      assertThat(stock.putIfAbsent("sold", 1L).isDone()).isTrue();
      assertThat(notes.get("made").map(id -> new String(id, UTF_8))).contains(made.toString());
      assertThat(notes.get(GoldenWorkflows.LONGEST).orElseThrow()).isEmpty();
      assertThat(keys(bytes(engine, GoldenWorkflows.ANEW))).containsExactly("new");
      assertThat(keys(bytes(engine, GoldenWorkflows.FADING))).isEmpty();
      bytes(engine, GoldenWorkflows.FADING).put("d", new byte[1]);
      assertThat(keys(bytes(engine, GoldenWorkflows.FADING))).containsExactly("d");
      long left =
          engine
              .transact(
                  tx -> {
                    long boots = tx.get(stock, "boots").orElseThrow();
                    tx.put(stock, "boots", boots - 1);
                    tx.cancel(made);
                    return boots - 1;
                  })
              .orThrow();

      assertThat(left).isEqualTo(5);
      assertThat(stock.get("boots")).contains(5L);
      assertThat(engine.get(made)).isEmpty();
      assertThat(engine.verify().problems()).isEmpty();
    }
  }

  private static Table<String, byte[]> bytes(JobEngine engine, String table) {
    return engine.table(table, Codec.TEXT, Codec.BYTES);
  }

  private static List<String> keys(Table<String, byte[]> table) {
    return table.scan(TableRange.all(), PageRequest.first(100)).items().stream()
        .map(TableRow::key)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("stores")
  void signals_ofAnOlderVersion_areToldAndWakeWhomTheyAreFor(GoldenStore golden)
      throws IOException {
    GoldenReading reading = reading(golden);
    try (JobEngine engine = reading.open()) {
      reading.clock().awaitSleeper();

      assertThat(wake(engine, "woken")).isEqualTo("asked answer");
      assertThat(wake(engine, "timed-out")).isEqualTo("asked did not come");
      Lease early = claimed(engine, GoldenWorkflows.STEPS, "early");
      for (String payload : List.of("early-1", "early-2")) {
        assertThat(early.waitFor(GoldenWorkflows.ASKED)).isEqualTo(WaitResult.SIGNALLED);
        early = claimed(engine, GoldenWorkflows.STEPS, "early");
        assertThat(told(early)).isEqualTo("asked " + payload);
      }
      assertThat(early.waitFor(GoldenWorkflows.ASKED, ZERO)).isEqualTo(WaitResult.TIMED_OUT);
      for (String name : List.of("crowd-0", "crowd-3", "crowd-5")) {
        assertThat(told(claimed(engine, GoldenWorkflows.CROWD, name))).isEqualTo("go go-all");
      }
      assertThat(job(engine, "crowd-not").state()).isEqualTo(JobState.WAITING);
      Job waiting = job(engine, "waits-until");
      assertThat(engine.signal(waiting.id(), GoldenWorkflows.ASKED, Labels.payload("today")))
          .isEqualTo(SignalResult.WOKEN);
      assertThat(wake(engine, "waits-until")).isEqualTo("asked today");
      Job tenant = job(engine, "tenant");
      engine.signal(tenant.id(), GoldenWorkflows.ASKED, Labels.payload("today")).orThrow();
      Lease ofTenant = claimed(engine, GoldenWorkflows.ACME, "tenant");
      assertThat(ofTenant.waitFor(GoldenWorkflows.OPENED)).isEqualTo(WaitResult.SIGNALLED);
      assertThat(told(claimed(engine, GoldenWorkflows.ACME, "tenant"))).isEqualTo("opened kept");
      assertThat(engine.verify().problems()).isEmpty();
    }
  }

  /** What the next lease on a job of STEPS is told. */
  private static String wake(JobEngine engine, String name) {
    boolean isThere =
        engine
            .queue(GoldenWorkflows.STEPS)
            .peek(JobState.READY, PageRequest.first(100))
            .items()
            .stream()
            .anyMatch(job -> Labels.name(job.payload()).equals(name));
    if (!isThere) {
      return "nobody";
    }
    Lease lease = claimed(engine, GoldenWorkflows.STEPS, name);
    String told = told(lease);
    lease.release().orThrow();
    return told;
  }

  private static String told(Lease lease) {
    Wake wake =
        lease.wake() instanceof Wake.Retry retry
            ? retry.signal().orElse(lease.wake())
            : lease.wake();
    if (wake instanceof Wake.Signalled signalled) {
      return signalled.name() + " " + Labels.name(signalled.payload());
    }
    return wake instanceof Wake.TimedOut late ? late.name() + " did not come" : wake.toString();
  }

  @ParameterizedTest
  @MethodSource("stores")
  void leases_ofAnOlderVersion_areHonouredWithWhatTheyWereTold(GoldenStore golden)
      throws IOException {
    GoldenReading reading = new GoldenReading(golden.unpack(store()), LeasesAtOpen.HONOUR);
    try (JobEngine engine = reading.open()) {
      reading.clock().awaitSleeper();
      boolean isHeld = golden.stop() == Stop.KILLED;

      Lease told = lease(engine, "leased-told", isHeld);
      if (!isHeld) {
        assertThat(told(told)).isEqualTo("asked leased-answer");
      }
      assertThat(told.fail("once more").isDone()).isTrue();
      Lease leased = lease(engine, "leased", isHeld);
      assertThat(leased.waitFor(GoldenWorkflows.ASKED)).isEqualTo(WaitResult.SIGNALLED);
      assertThat(wake(engine, "leased")).isEqualTo("asked early-6");
      reading.clock().advanceMs(HOUR.toMillis());
      reading.clock().awaitSleeper();
      assertThat(wake(engine, "leased-told")).isEqualTo("asked leased-answer");
      assertThat(engine.verify().problems()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("stores")
  void work_storeOfAnOlderVersion_endsEveryJobAndLeavesNoRow(GoldenStore golden)
      throws IOException {
    GoldenReading reading = reading(golden);

    List<String> worked = new ArrayList<>();
    try (JobEngine engine = reading.open()) {
      reading.clock().awaitSleeper();
      for (int hour = 0; hour < HOURS_OF_WORK; hour++) {
        worked.addAll(completeAll(engine, QUEUES));
        reading.clock().advanceMs(HOUR.toMillis());
        reading.clock().awaitSleeper();
      }
      for (Job stuck :
          engine.list(JobFilter.ALL.stuckBefore(engine.now()), PageRequest.first(100)).items()) {
        assertThat(engine.admin().failStuck(stuck.id(), "never came"))
            .isEqualTo(StuckResult.FAILED);
      }
      for (QueueName queue : QUEUES) {
        engine.queue(queue).deadLetters().redriveAll(DeadFilter.ALL);
      }
      Lease early = claimed(engine, GoldenWorkflows.STEPS, "early-dead");
      assertThat(early.waitFor(GoldenWorkflows.ASKED)).isEqualTo(WaitResult.SIGNALLED);
      Lease again = claimed(engine, GoldenWorkflows.STEPS, "early-dead");
      assertThat(told(again)).isEqualTo("asked early-4");
      assertThat(again.complete()).isEqualTo(CompleteResult.COMPLETED);
      worked.add("early-dead");
      worked.addAll(completeAll(engine, QUEUES));
      engine.tables(PageRequest.first(100)).items().forEach(table -> bytes(engine, table).drop());
      reading.clock().advanceMs(BROADCASTS_OVER.toMillis());
      reading.clock().awaitSleeper();
      assertThat(engine.verify().problems()).isEmpty();
    }

    assertThat(worked).containsExactlyInAnyOrderElementsOf(golden.unfinished());
    assertNothingLeftBut(LEFT, reading);
    assertThat(reading.rows(Keyspace.QUEUE_NAME)).hasSize(QUEUES.size());
  }
}
