package io.millrace.model.history;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Backoff;
import io.millrace.api.ClaimOptions;
import io.millrace.api.DeadLetters.Checkpointed;
import io.millrace.api.EngineOptions.LeasesAtOpen;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueResult;
import io.millrace.api.Explanation.Holder;
import io.millrace.api.Explanation.KeyTaken;
import io.millrace.api.FailOptions;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.UpdateOptions;
import io.millrace.model.Coverage;
import io.millrace.model.ModelEnqueued;
import io.millrace.model.ModelJob;
import io.millrace.model.ModelLease;
import io.millrace.model.ReferenceModel;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.testkit.fault.Trials;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random histories of several queues that share concurrency keys of the engine, on the model and on
 * an engine side by side: after each step the same jobs are ready and blocked, in the same order.
 *
 * <p>Next to no time passes: what becomes ready in several queues at one instant has no specified
 * order, and with shared keys that order decides who is ready. So these are histories of their own.
 */
@Timeout(value = 1, unit = TimeUnit.HOURS)
@Tag("slow")
final class EngineKeyModelTest {

  private static final int SEED_COUNT = Trials.count("engineKeyHistories", 10, 25, 1_500);
  private static final int STEP_COUNT = 120;
  private static final int MOST_MAX = 3;

  /** Those who look at the store see a lease by then. */
  private static final int LEASES_STORED_MS = 5;

  private static final List<String> QUEUES = List.of("mail", "sms", "web", "fax");
  private static final List<String> KEYS = List.of("a", "b", "k".repeat(255));
  private static final Backoff AT_ONCE = Backoff.fixed(Duration.ZERO);

  @TempDir private Path folder;

  private SplittableRandom random;
  private EngineHarness harness;
  private ReferenceModel model;
  private final Map<Integer, JobId> ids = new HashMap<>();
  private final List<World.Held> held = new ArrayList<>();
  private final List<Integer> steps = new ArrayList<>();
  private int payloadCount;

  @ParameterizedTest
  @EnumSource(
      value = StoreKind.class,
      names = {"MEMORY", "LMDB", "ROCKSDB"})
  void history_ofQueuesThatShareKeys_engineAnswersAsTheModel(StoreKind kind) {
    long first = Trials.seedOfChanges();
    for (long seed = first; seed < first + SEED_COUNT; seed++) {
      try {
        run(kind, seed);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("repeat with -Dmillrace.seed=" + seed, e);
      }
    }
    Trials.report(getClass(), "%d histories from %d on %s".formatted(SEED_COUNT, first, kind));
  }

  private void run(StoreKind kind, long seed) {
    random = new SplittableRandom(seed);
    ids.clear();
    held.clear();
    steps.clear();
    Setup setup =
        random.nextBoolean() ? Setup.DEFAULT : Setup.DEFAULT.withLeasesAtOpen(LeasesAtOpen.HONOUR);
    try (EngineHarness started =
        new EngineHarness(kind, folder.resolve(kind + "-" + seed), setup)) {
      harness = started;
      model = new ReferenceModel(harness.clock().epochMs(), new Coverage());
      model.storedOrder = Comparator.comparing(this::queueNumber).thenComparing(job -> job.number);
      QUEUES.forEach(this::create);
      for (int i = 0; i < STEP_COUNT; i++) {
        long before = newestOrder();
        step(setup);
        adoptOrder(before);
        check();
      }
      assertThat(harness.engine().verify().problems()).isEmpty();
    }
  }

  private void create(String name) {
    harness.engine().queue(name).configure(settings -> settings.perKey(1));
    model.configure(QueueName.of(name), model.queue(QueueName.of(name)).settings.perKey(1));
  }

  /** An id begins with it. */
  private String queueNumber(ModelJob job) {
    return ids.get(job.number).toString().substring(0, 8);
  }

  private long newestOrder() {
    return model.jobs.values().stream().mapToLong(job -> job.readyOrder).max().orElse(0);
  }

  /**
   * In which order the keys are seen to whose slots were given up together is not specified; it is
   * within a key.
   */
  private void adoptOrder(long before) {
    for (String name : QUEUES) {
      List<JobId> found = found(name, JobState.READY);
      List<ModelJob> entered =
          model.jobs(QueueName.of(name), JobState.READY).stream()
              .filter(job -> job.readyOrder > before)
              .toList();
      Map<Optional<String>, Integer> last = new HashMap<>();
      for (ModelJob job : entered) {
        Integer behind =
            last.put(job.options.engineConcurrencyKey(), found.indexOf(ids.get(job.number)));
        boolean isInOrder = behind == null || behind < last.get(job.options.engineConcurrencyKey());
        assertThat(isInOrder || job.options.engineConcurrencyKey().isEmpty()).isTrue();
      }
      model.events.adoptReadyOrder(entered, job -> found.indexOf(ids.get(job.number)));
    }
  }

  private List<JobId> found(String name, JobState state) {
    return Texts.all(page -> harness.engine().peek(QueueName.of(name), state, page), 100, Job::id);
  }

  private void step(Setup setup) {
    QueueName name = QueueName.of(QUEUES.get(random.nextInt(QUEUES.size())));
    JobQueue queue = harness.engine().queue(name);
    int step = random.nextInt(32);
    steps.add(step);
    switch (step) {
      case 0, 1, 2, 3, 4, 5, 6, 7 -> enqueue(name, queue);
      case 8, 9, 10, 11, 12, 13 -> claim(name, queue);
      case 14, 15, 16, 17, 18, 19 -> finish();
      case 20 -> cancel();
      case 21, 22 -> update();
      case 23 -> reschedule();
      case 24 -> redrive();
      case 25 -> {
        JobState state = random.nextBoolean() ? JobState.READY : JobState.BLOCKED;
        assertThat(queue.purge(EnumSet.of(state)))
            .isEqualTo(model.operator.purge(name, EnumSet.of(state)));
      }
      case 26 -> {
        int perKey = 1 + random.nextInt(MOST_MAX);
        queue.configure(settings -> settings.perKey(perKey));
        model.configure(name, model.queue(name).settings.perKey(perKey));
        harness.awaitNothingDue();
      }
      case 27 -> {
        boolean isPaused = random.nextBoolean();
        if (isPaused) {
          queue.pause();
        } else {
          queue.resume();
        }
        model.setPaused(name, isPaused);
      }
      case 28 -> delete(name, queue);
      case 29 -> harness.awaitNothingDue();
      default -> restart(setup);
    }
  }

  private void enqueue(QueueName name, JobQueue queue) {
    int count = random.nextInt(3) > 0 ? 1 : 1 + random.nextInt(8);
    List<NewJob> jobs = new ArrayList<>();
    List<ModelEnqueued> expected = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      jobs.add(new NewJob(("job " + ++payloadCount).getBytes(UTF_8), options()));
    }
    model.slots.call(
        () -> jobs.forEach(job -> expected.add(model.offer(name, job.payload(), job.options()))));
    List<EnqueueResult> results = queue.offerAll(jobs);
    for (int i = 0; i < count; i++) {
      ids.put(expected.get(i).job().orElseThrow().number, results.get(i).orThrow().jobId());
    }
  }

  private EnqueueOptions options() {
    EnqueueOptions options =
        EnqueueOptions.DEFAULT
            .priority(random.nextInt(5) == 0 ? random.nextInt(3) - 1 : 0)
            .backoff(AT_ONCE)
            .maxAttempts(3);
    String key = KEYS.get(random.nextInt(KEYS.size()));
    return switch (random.nextInt(8)) {
      case 0 -> options;
      case 1 -> options.concurrencyKey(key);
      default -> options.engineConcurrencyKey(key, 1 + random.nextInt(MOST_MAX));
    };
  }

  private void claim(QueueName name, JobQueue queue) {
    ClaimOptions options = ClaimOptions.by("worker").max(1 + random.nextInt(3));
    List<ModelLease> expected = model.claims.claim(List.of(name), options);
    List<Lease> leases = queue.claim(options);
    assertThat(leases.stream().map(lease -> new String(lease.payload(), UTF_8)))
        .isEqualTo(expected.stream().map(lease -> new String(lease.payload, UTF_8)).toList());
    for (int i = 0; i < leases.size(); i++) {
      held.add(new World.Held(expected.get(i), leases.get(i)));
    }
    harness.storeLeases();
    model.events.advance(LEASES_STORED_MS);
  }

  private void finish() {
    if (held.isEmpty()) {
      return;
    }
    World.Held lease = held.remove(random.nextInt(held.size()));
    FailOptions permanently = FailOptions.PERMANENT;
    switch (random.nextInt(8)) {
      case 0 -> {
        lease.engine().fail("broken").orThrow();
        model.holder.fail(lease.model(), "broken", FailOptions.RETRY);
      }
      case 1 -> {
        lease.engine().fail("broken", permanently).orThrow();
        model.holder.fail(lease.model(), "broken", permanently);
      }
      case 2 -> {
        lease.engine().release().orThrow();
        model.holder.release(lease.model());
      }
      case 3 -> {
        lease.engine().snooze(Duration.ZERO).orThrow();
        model.holder.snooze(lease.model(), Duration.ZERO);
      }
      default ->
          assertThat(lease.engine().complete()).isEqualTo(model.holder.complete(lease.model()));
    }
  }

  private int anyJob() {
    List<Integer> numbers = List.copyOf(model.jobs.keySet());
    return numbers.isEmpty() ? 0 : numbers.get(random.nextInt(numbers.size()));
  }

  private void cancel() {
    int job = anyJob();
    if (job > 0) {
      assertThat(harness.engine().cancelIfWaiting(ids.get(job)))
          .isEqualTo(model.operator.cancel(job));
    }
  }

  private void update() {
    int job = anyJob();
    if (job > 0) {
      UpdateOptions changes = UpdateOptions.NOTHING.priority(random.nextInt(3) - 1);
      assertThat(harness.engine().update(ids.get(job), changes))
          .isEqualTo(model.changes.update(job, changes));
    }
  }

  private void reschedule() {
    int job = anyJob();
    if (job > 0) {
      Instant now = Instant.ofEpochMilli(harness.clock().epochMs());
      assertThat(harness.engine().reschedule(ids.get(job), now))
          .isEqualTo(model.changes.reschedule(job, now.toEpochMilli()));
    }
  }

  private void redrive() {
    for (ModelJob job : List.copyOf(model.jobs.values())) {
      if (job.state == JobState.DEAD) {
        harness
            .engine()
            .queue(job.queue)
            .deadLetters()
            .redrive(ids.get(job.number), Checkpointed.KEEP)
            .orThrow();
        model.operator.redrive(job.number, Checkpointed.KEEP, ids::get);
        return;
      }
    }
  }

  /** Its jobs go in steps; the name is used again at once. */
  private void delete(QueueName name, JobQueue queue) {
    assertThat(queue.delete()).isEqualTo(model.operator.deleteQueue(name));
    harness.awaitNothingDue();
    held.removeIf(lease -> lease.model().job.queue.equals(name));
    create(name.name());
  }

  private void restart(Setup setup) {
    held.clear();
    boolean isClean = random.nextBoolean();
    if (isClean) {
      harness.restartCleanly();
    } else {
      harness.crash();
    }
    model.events.restart(isClean, setup.leasesAtOpen());
    harness.awaitNothingDue();
  }

  private List<String> jobsTold() {
    return model.jobs.values().stream()
        .map(
            job ->
                "\n"
                    + ids.get(job.number)
                    + " "
                    + job.queue
                    + " "
                    + job.state
                    + job.options.concurrencyKey()
                    + job.options.engineConcurrencyKey()
                    + job.options.engineConcurrencyMost())
        .toList();
  }

  private void check() {
    for (String name : QUEUES) {
      for (JobState state : List.of(JobState.READY, JobState.BLOCKED, JobState.DEAD)) {
        List<JobId> expected =
            model.jobs(QueueName.of(name), state).stream().map(job -> ids.get(job.number)).toList();
        List<JobId> found = found(name, state);
        if (state == JobState.DEAD) {
          assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
        } else {
          assertThat(found)
              .as(state + " jobs of " + name + " after " + steps + ", of " + jobsTold())
              .isEqualTo(expected);
        }
      }
      model.jobs(QueueName.of(name), JobState.BLOCKED).stream()
          .findFirst()
          .ifPresent(this::checkHolders);
    }
  }

  /** Holders of a key are told, in whatever queue they are. */
  private void checkHolders(ModelJob blocked) {
    List<Holder> expected =
        model.slots.holders(blocked).stream()
            .map(job -> new Holder(ids.get(job.number), job.queue, job.state))
            .toList();
    KeyTaken taken =
        harness.engine().explain(ids.get(blocked.number)).orElseThrow().reasons().stream()
            .filter(KeyTaken.class::isInstance)
            .map(KeyTaken.class::cast)
            .findFirst()
            .orElseThrow();
    assertThat(taken.holders())
        .as("holders of the key of " + blocked + " after " + steps + ", of " + jobsTold())
        .containsExactlyInAnyOrderElementsOf(expected);
    assertThat(taken.holderCount()).isEqualTo(expected.size());
  }
}
