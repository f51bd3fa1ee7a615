package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.CorruptDataException;
import io.millrace.api.EngineClosedException;
import io.millrace.api.EngineHealth.Status;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Explanation;
import io.millrace.api.Explanation.Reason;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.engine.JobEngine;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.FaultyStore.Room;
import io.millrace.spi.testkit.StoreCall;
import io.millrace.spi.testkit.rig.InProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** An engine that is full, poisoned, stalled or closed, and damaged rows: the store still tells. */
@InProcess("what a store's faults do, whoever calls")
class ExplainFaultTrapsTest extends TrapTest {

  private static final EnqueueOptions PLAIN = EnqueueOptions.DEFAULT;
  private static final byte[] FIRST_KEY = {0};
  private static final byte[] AFTER_LAST_KEY = {-1, -1, -1, -1, -1, -1, -1, -1};

  private static List<Reason> reasons(EngineHarness harness, JobId id) {
    return harness.queues().explain(id).orElseThrow().reasons();
  }

  @Test
  void full_readyJob_isExplainedAndTheStoreSaidToBeFull() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobId id = enqueue(mail(harness), "a");
    harness.machine().room(Room.FOR_RESERVE_USERS);
    assertThatThrownBy(() -> mail(harness).enqueue("refused".getBytes(UTF_8)))
        .isInstanceOf(StoreFullException.class);

    List<Reason> told = reasons(harness, id);

    assertThat(told).extracting(Reason::kind).containsExactly("EngineRefuses", "NoClaims");
    assertThat(((Explanation.EngineRefuses) told.get(0)).status()).isEqualTo(Status.FULL);
    assertThat(told.get(0).sentence())
        .isEqualTo(
            "its store has been full since 2023-11-14T22:13:20Z: what adds to it is refused, and"
                + " claims are served as far as there is room");
    harness.machine().room(Room.FOR_ALL);
    advance(harness, ofSeconds(1));
    assertThat(reasons(harness, id)).extracting(Reason::kind).containsExactly("NoClaims");
  }

  @Test
  void poisoned_leasedAndReadyJobs_areExplainedAndTheEngineSaidToRefuse() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobId leased = enqueue(mail(harness), "a");
    JobId ready = enqueue(mail(harness), "b");
    claim(mail(harness));
    harness.storeLeases();
    harness.machine().failNext(StoreCall.SYNC, Fault.BEFORE);
    assertThatThrownBy(() -> mail(harness).enqueue("unknown".getBytes(UTF_8)))
        .isInstanceOf(OutcomeUnknownException.class);

    List<Reason> told = reasons(harness, ready);

    assertThat(told.get(0).sentence())
        .isEqualTo(
            "its engine has taken no changes since 2023-11-14T22:13:20.005Z, until it is reopened:"
                + " store failed: the sync failed: fault injected");
    assertThat(reasons(harness, leased))
        .extracting(Reason::kind)
        .containsExactly("Running", "EngineRefuses");
    harness.engine().reopen();
    assertThat(reasons(harness, leased)).extracting(Reason::kind).containsExactly("Running");
  }

  @Test
  void stalledStore_explain_answersInTimeFromTheStore() throws InterruptedException {
    EngineHarness harness =
        start(StoreKind.MEMORY, clock -> Setup.DEFAULT.options(clock).overloadWait(ofMillis(30)));
    JobId leased = enqueue(mail(harness), "a");
    JobId ready = enqueue(mail(harness), "b");
    claim(mail(harness));
    harness.storeLeases();
    harness.store().holdNextWrite();
    CompletableFuture<?> held = mail(harness).enqueueAsync("held".getBytes(UTF_8), PLAIN);
    harness.store().awaitHeld();

    assertThat(reasons(harness, ready))
        .containsExactly(
            new Explanation.EngineSilent(
                ofMillis(30),
                "its engine did not answer within 30 ms, so that its store may be stalled; who"
                    + " claims, and who holds leases that are not stored yet, is not told"));
    List<Reason> running = reasons(harness, leased);
    assertThat(running).extracting(Reason::kind).containsExactly("Running", "EngineSilent");
    assertThat(((Explanation.Running) running.get(0)).until()).isEmpty();
    assertThat(running.get(0).sentence())
        .isEqualTo("is run by worker since 2023-11-14T22:13:20Z (for 5 ms), attempt 1 of 20");
    harness.store().letGo();
    join(held);
    assertThat(reasons(harness, ready)).extracting(Reason::kind).doesNotContain("EngineSilent");
  }

  @Test
  @SuppressWarnings("NullAway") // What it is about.
  void noId_explain_isToldByName() {
    EngineHarness harness = start(StoreKind.MEMORY);

    assertThatThrownBy(() -> harness.queues().explain(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("id");
  }

  @Test
  void interrupted_explain_answersFromTheStoreAndStaysInterrupted() {
    Duration patience = Duration.ofDays(1);
    EngineHarness harness =
        start(StoreKind.MEMORY, clock -> Setup.DEFAULT.options(clock).overloadWait(patience));
    JobId id = enqueue(mail(harness), "a");

    Thread.currentThread().interrupt();
    Optional<Explanation> told = harness.queues().explain(id);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(told.orElseThrow().state()).isEqualTo(JobState.READY);
    Explanation.EngineSilent silent =
        (Explanation.EngineSilent) told.orElseThrow().reasons().get(0);
    assertThat(silent.waited()).isLessThan(patience);
  }

  @Test
  void closed_explain_saysThatTheEngineIsClosed() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "a");
    harness.engine().close();

    assertThatThrownBy(() -> harness.queues().explain(id))
        .isInstanceOf(EngineClosedException.class)
        .hasMessage("engine is closed; nothing was read");
  }

  @Test
  void anyDamagedRow_explain_failsForTheJobWhoseRowsAreDamagedAlone() {
    int rowCount = new Damaged("count").keys().size();
    for (int row = 0; row < rowCount; row++) {
      new Damaged("row-" + row).explainAll(row);
    }
  }

  /** A small store with jobs of every state, of which one row will be damaged while it is open. */
  private final class Damaged {

    private final EngineHarness harness;
    private final StoreOptions options;
    private final Map<JobId, JobState> states = new LinkedHashMap<>();

    Damaged(String name) {
      options = StoreOptions.of(folder.resolve(name));
      harness =
          started(new EngineHarness(StoreKind.FAULTY, options.folder(), Setup.DEFAULT::options));
      JobQueue mail = mail(harness);
      states.put(enqueue(mail, "dead"), JobState.DEAD);
      claim(mail).fail("broken", FailOptions.PERMANENT).orThrow();
      states.put(enqueue(mail, "done", PLAIN.resultRetention(ofSeconds(10_000))), JobState.DONE);
      claim(mail).complete("result".getBytes(UTF_8)).orThrow();
      states.put(enqueue(mail, "retried"), JobState.DELAYED);
      claim(mail).fail("broken").orThrow();
      states.put(enqueue(mail, "leased", PLAIN.concurrencyKey("ada")), JobState.LEASED);
      claim(mail);
      states.put(enqueue(mail, "first"), JobState.READY);
      states.put(enqueue(mail, "second"), JobState.READY);
      states.put(enqueue(mail, "blocked", PLAIN.concurrencyKey("ada")), JobState.BLOCKED);
      EnqueueOptions host = PLAIN.engineConcurrencyKey("host", 2);
      states.put(enqueue(harness.queues().queue("other"), "other", host), JobState.READY);
      states.put(enqueue(harness.queues().queue("third"), "third", host), JobState.LEASED);
      claim(harness.queues().queue("third"));
      states.put(enqueue(mail, "blocked by others", host), JobState.BLOCKED);
    }

    private List<byte[]> keys() {
      List<byte[]> keys = new ArrayList<>();
      try (OrderedStore store = opened();
          ReadView view = store.read()) {
        view.scan(FIRST_KEY, AFTER_LAST_KEY, Integer.MAX_VALUE, (key, value) -> keys.add(key));
      }
      return keys;
    }

    private OrderedStore opened() {
      harness.engine().close();
      return harness.machine().open(options.access(StoreOptions.Access.READ_ONLY));
    }

    void explainAll(int row) {
      byte[] key = keys().get(row);
      Path store = options.folder();
      try {
        harness.machine().flipBit(store, key, 40);
      } catch (IllegalArgumentException shortRow) {
        return;
      }
      int failed = 0;
      try (var reader = JobEngine.inspect(harness.machine(), options)) {
        for (JobId id : states.keySet()) {
          try {
            reader.explain(id);
          } catch (CorruptDataException told) {
            failed++;
          }
        }
      } catch (CorruptDataException | StoreException told) {
        // Of what a store must have, so that nobody can look at it.
        return;
      }
      // The name of a queue is all its jobs' own, and all but two are of one queue.
      assertThat(failed)
          .as("jobs that cannot be explained after damage to " + HexFormat.of().formatHex(key))
          .matches(count -> count <= 1 || count == states.size() - 2);
    }
  }
}
