package io.millrace.model.outage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.AfterCommit;
import io.millrace.api.BroadcastReport;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.DeadFilter;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import io.millrace.api.SignalResult;
import io.millrace.api.Table;
import io.millrace.api.TransactionResult;
import io.millrace.api.WaitResult;
import io.millrace.api.Wake;
import io.millrace.internal.format.Keyspace;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.ReadView;
import io.millrace.spi.testkit.fault.Trials;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Signals on a store that fails and loses power as a seed says: each that was acknowledged is told
 * to its job, in the order in which they were sent, and to nobody else; one that was not may be
 * told or not, once at most, also if the job dies of it and is redriven; and nothing is left of
 * them when their jobs have ended. Broadcasts take many steps, so that faults meet them under way;
 * each wakes as many jobs as it says.
 */
class SignalCrashModelTest extends FaultyCalls {

  private static final int SEED_COUNT = Trials.count("signalSeeds", 12, 100, 2_000);
  private static final int JOB_COUNT_MAX = 30;
  private static final QueueName QUEUE = QueueName.of("mail");

  /** How what a job sends itself begins. */
  private static final String OWN = "own ";

  private final Map<JobId, Sent> jobs = new LinkedHashMap<>();
  private final List<Lease> held = new ArrayList<>();

  /** Of each broadcast that was answered, how many jobs it is said to have woken. */
  private final Map<String, Long> broadcasts = new LinkedHashMap<>();

  /** Which jobs were told a payload, also those of which nobody knew that they were enqueued. */
  private final Map<String, Set<JobId>> told = new LinkedHashMap<>();

  private int number;

  /** What was sent to a job, and what it was told. */
  private static final class Sent {
    private final List<String> asked = new ArrayList<>();
    private final List<String> acknowledged = new ArrayList<>();
    private final List<String> told = new ArrayList<>();

    void tell(String payload) {
      // One whose attempt failed is told once more.
      if (told.isEmpty() || !told.get(told.size() - 1).equals(payload)) {
        told.add(payload);
      }
    }
  }

  private JobQueue queue() {
    return harness.engine().queue(QUEUE);
  }

  @Test
  void signals_storeFailsAndPowerGoes_areToldOnceInOrder() {
    run(SEED_COUNT);
  }

  /** A broadcast takes many steps. */
  @Override
  EngineHarness start(Path store) {
    return EngineHarness.withSmallSteps(StoreKind.FAULTY, store, Setup.DEFAULT);
  }

  @Override
  void begin() {
    jobs.clear();
    forgetLeases();
    broadcasts.clear();
    told.clear();
    number = 0;
  }

  @Override
  void forgetLeases() {
    held.clear();
  }

  @Override
  void call(int step) {
    switch (random.nextInt(20)) {
      case 0, 1 -> enqueue();
      case 2, 3, 4, 5 -> claim();
      case 6, 7, 8, 9 -> waitFor();
      case 10, 11, 12, 13, 14 -> send();
      case 15 -> broadcast();
      case 16 -> fail();
      case 17 -> redrive();
      case 18 -> pass(Duration.ofMillis(random.nextInt(20_000)));
      default -> {
        if (random.nextInt(3) == 0) {
          stop();
        }
      }
    }
  }

  private void enqueue() {
    if (jobs.size() < JOB_COUNT_MAX) {
      EnqueueOptions options = EnqueueOptions.DEFAULT.maxAttempts(random.nextInt(2) * 999 + 1);
      options = random.nextBoolean() ? options : options.concurrencyKey("key");
      jobs.put(queue().enqueue("job".getBytes(UTF_8), options).jobId(), new Sent());
    }
  }

  private void claim() {
    for (Lease lease : queue().claim(ClaimOptions.by("worker").max(1 + random.nextInt(5)))) {
      held.add(lease);
      Wake wake = lease.wake();
      if (wake.signal().orElse(wake) instanceof Wake.Signalled signalled) {
        String payload = new String(signalled.payload(), UTF_8);
        told.computeIfAbsent(payload, unknown -> new HashSet<>()).add(lease.jobId());
        Optional.ofNullable(jobs.get(lease.jobId())).ifPresent(sent -> sent.tell(payload));
      }
    }
  }

  private void waitFor() {
    if (!held.isEmpty()) {
      Lease lease = held.remove(random.nextInt(held.size()));
      Duration most = Duration.ofSeconds(random.nextInt(20));
      switch (random.nextInt(4)) {
        case 0 -> noteWait(lease.waitFor("go"));
        case 1 -> noteWait(lease.waitFor("go", most));
        case 2 -> noteWait(harness.engine().transact(tx -> tx.waitFor(lease, "go", most)));
        default -> sendAndWait(lease);
      }
    }
  }

  private static void noteWait(WaitResult result) {
    assertThat(result).isNotEqualTo(WaitResult.CANCELLED);
  }

  private static void noteWait(TransactionResult<AfterCommit<WaitResult>> result) {
    if (result.isDone()) {
      noteWait(result.orThrow().get());
    }
  }

  /** A row, a signal and the wait for it, together or not at all. */
  private void sendAndWait(Lease lease) {
    Sent sent = jobs.get(lease.jobId());
    if (sent == null || sent.asked.size() >= 50) {
      return;
    }
    String payload = payload(OWN);
    sent.asked.add(payload);
    TransactionResult<AfterCommit<WaitResult>> result =
        harness
            .engine()
            .transact(
                tx -> {
                  tx.put(own(), lease.jobId().toString(), payload);
                  tx.signal(lease.jobId(), "go", payload.getBytes(UTF_8));
                  return tx.waitFor(lease, "go");
                });
    if (result.isDone()) {
      assertThat(result.orThrow().get()).isEqualTo(WaitResult.SIGNALLED);
      sent.acknowledged.add(payload);
    } else {
      sent.asked.remove(payload);
    }
  }

  /** What jobs have sent themselves last. */
  private Table<String, String> own() {
    return harness.engine().table("own", Codec.TEXT, Codec.TEXT);
  }

  private void fail() {
    if (!held.isEmpty()) {
      held.remove(random.nextInt(held.size())).fail("broken").isDone();
    }
  }

  private void redrive() {
    queue().deadLetters().redriveAll(DeadFilter.ALL);
  }

  /** Every other one is too long to be kept among the names. */
  private String payload(String kind) {
    return kind + ++number + " ".repeat(number % 2 * 100);
  }

  private void send() {
    if (jobs.isEmpty()) {
      return;
    }
    List<JobId> ids = List.copyOf(jobs.keySet());
    JobId id = ids.get(random.nextInt(ids.size()));
    Sent sent = jobs.get(id);
    if (sent.asked.size() < 50) {
      String payload = payload("signal ");
      sent.asked.add(payload);
      byte[] bytes = payload.getBytes(UTF_8);
      SignalResult result =
          random.nextBoolean()
              ? harness.engine().signal(id, "go", bytes)
              : harness.engine().transact(tx -> tx.signal(id, "go", bytes)).orThrow().get();
      assertThat(result).isIn(SignalResult.WOKEN, SignalResult.KEPT);
      sent.acknowledged.add(payload);
    }
  }

  /** Whoever waits may get it in place of nothing; it is kept for nobody. */
  private void broadcast() {
    String payload = "broadcast " + ++number;
    jobs.values().forEach(sent -> sent.asked.add(payload));
    BroadcastReport report =
        harness.engine().signals().broadcast(QUEUE, "go", payload.getBytes(UTF_8), Duration.ZERO);
    broadcasts.put(payload, report.wokenCount());
  }

  /** Whoever has a signal left takes it; whoever waits in vain is given up. */
  @Override
  void serveAll() {
    held.clear();
    pass(Duration.ofDays(1));
    for (int i = 0; i < 100 * JOB_COUNT_MAX && count(JobState.WAITING) < all(); i++) {
      redrive();
      claim();
      held.forEach(lease -> assertThat(lease.waitFor("go").isDone()).isTrue());
      held.clear();
      pass(Duration.ofMillis(10));
    }
    assertThat(count(JobState.WAITING)).isEqualTo(all());
    queue().purge(EnumSet.of(JobState.WAITING));
    assertThat(all()).isZero();
    checkTold();
  }

  private long all() {
    return queue()
        .stats()
        .map(stats -> stats.counts().values().stream().mapToLong(n -> n).sum())
        .orElse(0L);
  }

  private long count(JobState state) {
    return queue().stats().map(stats -> stats.count(state)).orElse(0L);
  }

  private void checkTold() {
    for (Map.Entry<JobId, Sent> job : jobs.entrySet()) {
      Sent sent = job.getValue();
      List<String> signals = sent.told.stream().filter(sent.acknowledged::contains).toList();
      assertThat(signals).as("acknowledged, of " + job.getKey()).isEqualTo(sent.acknowledged);
      List<String> known = sent.asked.stream().filter(sent.told::contains).toList();
      assertThat(sent.told).as("told to " + job.getKey()).isEqualTo(known);
      assertThat(own().get(job.getKey().toString()))
          .as("last that it sent itself, of " + job.getKey())
          .isEqualTo(known.stream().filter(it -> it.startsWith(OWN)).reduce((a, b) -> b));
    }
    broadcasts.forEach(
        (payload, count) ->
            assertThat(told.getOrDefault(payload, Set.of()))
                .as("woken by " + payload)
                .hasSize(count.intValue()));
    try (ReadView view = harness.store().read()) {
      int rows =
          view.scan(
              Keyspace.SIGNAL.start(),
              Keyspace.SIGNAL.end(),
              Integer.MAX_VALUE,
              (key, value) -> true);
      assertThat(rows).isZero();
    }
  }
}
