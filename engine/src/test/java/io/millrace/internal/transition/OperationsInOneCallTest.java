package io.millrace.internal.transition;

import static io.millrace.internal.transition.TransitionRig.MAIL;
import static io.millrace.internal.transition.TransitionRig.START_MS;
import static io.millrace.internal.transition.TransitionRig.ref;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Backoff;
import io.millrace.api.CancelResult;
import io.millrace.api.CompleteResult;
import io.millrace.api.CorruptDataException;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.UpdateOptions;
import io.millrace.api.UpdateResult;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.Payload;
import io.millrace.internal.format.QueueKeys;
import io.millrace.internal.format.QueueNameKeys;
import io.millrace.internal.state.ClaimSpec;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.job.Cancel;
import io.millrace.internal.transition.job.DeleteDead;
import io.millrace.internal.transition.job.Enqueue;
import io.millrace.internal.transition.job.Redrive;
import io.millrace.internal.transition.job.Reschedule;
import io.millrace.internal.transition.job.Update;
import io.millrace.internal.transition.lease.Checkpoint;
import io.millrace.internal.transition.lease.Claim;
import io.millrace.internal.transition.lease.Complete;
import io.millrace.internal.transition.lease.Extend;
import io.millrace.internal.transition.lease.Fail;
import io.millrace.internal.transition.lease.Grant;
import io.millrace.internal.transition.lease.NamedLease;
import io.millrace.internal.transition.lease.Release;
import io.millrace.internal.transition.lease.ReleaseAll;
import io.millrace.internal.transition.lease.Snooze;
import io.millrace.internal.transition.queue.Purge;
import io.millrace.spi.ReadView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What an operation sees of those before it in the same call: it answers, and the store holds, what
 * they would if each had been a call of its own.
 */
class OperationsInOneCallTest {

  private static final int LIST_COUNT = 3_000;

  private static final EnqueueOptions PLAIN =
      EnqueueOptions.DEFAULT.backoff(Backoff.fixed(Duration.ofSeconds(7)));

  private static final byte[] LARGE = new byte[Payload.INLINE_BYTES_MAX + 1];

  private TransitionRig inOneCall;
  private TransitionRig oneByOne;

  @BeforeEach
  void open() {
    inOneCall = new TransitionRig();
    oneByOne = new TransitionRig();
  }

  @AfterEach
  void close() {
    inOneCall.close();
    oneByOne.close();
  }

  /** Operations of one call, as a transaction will be. */
  private record InOneCall(List<Operation<?>> operations) implements Operation<List<Object>> {

    @Override
    public Growth growth() {
      return Growth.GROWS;
    }

    @Override
    public Cost cost() {
      return operations.stream().map(Transition::cost).reduce(Cost.NOTHING, Cost::plus);
    }

    @Override
    public void declare(WorkingSet state, RowReads reads) {
      operations.forEach(operation -> operation.declare(state, reads));
    }

    @Override
    public Plan<List<Object>> check(OpenBatch batch) {
      return Plan.inOrder(batch, operations, operation -> plan(operation, batch));
    }

    @SuppressWarnings("unchecked") // Whatever it answers is an object.
    private static Plan<Object> plan(Operation<?> operation, OpenBatch batch) {
      return (Plan<Object>) operation.check(batch);
    }
  }

  @Tag("slow")
  @Test
  void operations_anyListOnFewJobs_answerAndLeaveTheSameAsOneByOne() {
    Random random = new Random(16);
    Set<String> answers = new TreeSet<>();
    for (int i = 0; i < LIST_COUNT; i++) {
      long seed = random.nextLong();
      List<Operation<?>> together = operations(seed, new Jobs(inOneCall));
      List<Operation<?>> single = operations(seed, new Jobs(oneByOne));

      // A batch that never happens leaves nothing, and the list can be carried out again.
      Map<String, String> before = rows(inOneCall);
      List<Object> inVain = inOneCall.applyInVain(new InOneCall(together));
      oneByOne.applyInVain(new InOneCall(single));
      assertThat(rows(inOneCall)).isEqualTo(before);
      List<Object> actual = inOneCall.apply(new InOneCall(together));
      List<Object> expected = new ArrayList<>();
      single.forEach(operation -> expected.add(oneByOne.apply(operation)));

      assertThat(actual).as("list %d, seed %d, %s", i, seed, together).isEqualTo(expected);
      assertThat(inVain).hasSameSizeAs(actual);
      Map<String, String> rows = rows(inOneCall);
      assertThat(rows.entrySet())
          .as("list %d, seed %d, %s", i, seed, together)
          .containsExactlyInAnyOrderElementsOf(rows(oneByOne).entrySet());
      actual.forEach(answer -> answers.add(answer.toString().replaceAll("[\\d:.=TZ-]+", "#")));
      removeAll(inOneCall);
      removeAll(oneByOne);
    }
    assertThat(inOneCall.problems()).isEmpty();
    assertThat(answers).as("every kind of answer was met").hasSizeGreaterThan(30);
  }

  @Test
  void update_afterAnUpdateWithALargePayload_keepsThatPayload() {
    JobId id = inOneCall.enqueue("small");

    List<Object> answers =
        inOneCall.apply(
            new InOneCall(
                List.of(
                    new Update(id, UpdateOptions.NOTHING.payload(LARGE)),
                    new Update(id, UpdateOptions.NOTHING.headers(Map.of("a", "b"))),
                    new Reschedule(id, Instant.ofEpochMilli(START_MS + 9)))));

    assertThat(answers).element(1).isEqualTo(UpdateResult.UPDATED);
    assertThat(inOneCall.job(id).payload()).isEqualTo(LARGE);
    assertThat(inOneCall.job(id).headers()).containsEntry("a", "b");
    assertThat(inOneCall.job(id).state()).isEqualTo(JobState.DELAYED);
  }

  @Test
  void fail_afterARequestedCancel_takesTheJobAlong() {
    JobId id = inOneCall.enqueue("job");
    NamedLease lease = ref(inOneCall.claim());

    List<Object> answers =
        inOneCall.apply(
            new InOneCall(
                List.of(
                    Cancel.orMark(id),
                    new Fail(List.of(lease), "broken", FailOptions.RETRY),
                    new Complete(List.of(lease)),
                    Cancel.ifWaiting(id))));

    assertThat(answers.get(0)).isEqualTo(CancelResult.REQUESTED);
    assertThat(answers.get(1).toString()).contains("Cancelled");
    assertThat(answers.get(2)).isEqualTo(List.of(CompleteResult.GONE));
    assertThat(answers.get(3)).isEqualTo(CancelResult.GONE);
    assertThat(inOneCall.rowCount(Keyspace.LEASE, Keyspace.READY)).isZero();
  }

  @Test
  void enqueue_whatItMustWriteFirstCannotBe_nothingOfTheCallHappens() {
    QueueName lost = QueueName.of("lost");
    inOneCall.configure(QueueSettings.DEFAULT.depthMax(5));
    JobId id = inOneCall.enqueue("job");
    inOneCall.apply(new Enqueue(lost, List.of(NewJob.of(new byte[1]))));
    ClaimSpec spec =
        new ClaimSpec(
            List.of(lost), "w", 1, 30_000, 9, 9, Integer.MAX_VALUE, Map.of(), 0, List.of());
    inOneCall.applyWithoutRows(new Claim(spec));
    int number = inOneCall.number(lost);
    inOneCall.remove(QueueKeys.key(lost));
    inOneCall.remove(QueueNameKeys.key(number));
    inOneCall.remove(CounterKeys.key(number));
    inOneCall.unload();
    InOneCall call =
        new InOneCall(
            List.of(Cancel.ifWaiting(id), new Enqueue(MAIL, List.of(NewJob.of(new byte[1])))));

    assertThatThrownBy(() -> inOneCall.applyWithoutRows(call))
        .isInstanceOf(CorruptDataException.class);

    assertThat(inOneCall.count(JobState.READY)).isEqualTo(1);
  }

  /** Jobs in every state, the same ones in every store. */
  private static final class Jobs {
    private final List<JobId> ids = new ArrayList<>();
    private final List<Grant> grants = new ArrayList<>();

    Jobs(TransitionRig rig) {
      rig.configure(QueueSettings.DEFAULT.depthMax(5).deadRetention(Duration.ofDays(1)));
      for (EnqueueOptions options :
          List.of(PLAIN, PLAIN.resultRetention(Duration.ofHours(1)), PLAIN.maxAttempts(1))) {
        ids.add(rig.enqueue(options.timeToLive(Duration.ofDays(2))));
        Grant grant = rig.claim();
        rig.state.leases().start(grant.lease(), START_MS * 1_000_000 + 30_000_000_000L);
        grants.add(grant);
      }
      ids.add(rig.enqueue("dead", PLAIN));
      rig.die();
      ids.add(
          rig.apply(new Enqueue(MAIL, List.of(new NewJob(LARGE, PLAIN)))).get(0).orThrow().jobId());
      ids.add(rig.enqueue(PLAIN.delay(Duration.ofMinutes(1)).timeToLive(Duration.ofDays(3))));
    }
  }

  private static List<Operation<?>> operations(long seed, Jobs jobs) {
    Random random = new Random(seed);
    List<Operation<?>> operations = new ArrayList<>();
    int jobCount = random.nextInt(1, 4);
    int from = random.nextInt(jobs.ids.size());
    int count = random.nextInt(2, 7);
    for (int i = 0; i < count; i++) {
      int job = (from + random.nextInt(jobCount)) % jobs.ids.size();
      boolean isOfLease = job < jobs.grants.size() && random.nextInt(4) != 0;
      operations.add(
          isOfLease
              ? ofLease(random, ref(jobs.grants.get(job)), jobs)
              : ofJob(random, jobs.ids.get(job)));
    }
    return operations;
  }

  private static Operation<?> ofLease(Random random, NamedLease lease, Jobs jobs) {
    byte[] payload = random.nextBoolean() ? LARGE : new byte[] {1};
    return switch (random.nextInt(9)) {
      case 0 -> new Complete(List.of(lease));
      case 1 -> new Complete(List.of(lease, ref(jobs.grants.get(0))));
      case 2 -> new Fail(List.of(lease), "broken", FailOptions.RETRY);
      case 3 -> new Fail(List.of(lease), "broken", FailOptions.PERMANENT);
      case 4 -> new Release(List.of(lease));
      case 5 ->
          new Snooze(
              List.of(lease),
              new Snooze.Until(Snooze.Until.Kind.DELAY, 1_000L * random.nextInt(2)));
      case 6 -> new Extend(List.of(lease), Duration.ofSeconds(random.nextInt(1, 90)));
      default -> new Checkpoint(lease, payload);
    };
  }

  private static Operation<?> ofJob(Random random, JobId id) {
    return switch (random.nextInt(10)) {
      case 0 -> Cancel.ifWaiting(id);
      case 1 -> Cancel.orMark(id);
      case 2, 3 ->
          new Reschedule(id, Instant.ofEpochMilli(START_MS + random.nextInt(-5_000, 5_000)));
      case 4 -> new Update(id, UpdateOptions.NOTHING.priority(random.nextInt(3)));
      case 5 -> new Update(id, UpdateOptions.NOTHING.payload(LARGE).maxAttempts(9));
      case 6 -> new Update(id, UpdateOptions.NOTHING.headers(Map.of("n", "" + random.nextInt(9))));
      case 7 -> new Redrive(List.of(id, id));
      case 8 -> new DeleteDead(List.of(id));
      default -> new Enqueue(MAIL, List.of(NewJob.of(new byte[1]), NewJob.of(LARGE)));
    };
  }

  /**
   * All rows of jobs, and the counts of the queue. When the queue is looked at next may be earlier
   * than it need be if the batches were more.
   */
  private static Map<String, String> rows(TransitionRig rig) {
    Map<String, String> rows = new TreeMap<>();
    byte[] countersKey = CounterKeys.key(rig.number(MAIL));
    try (ReadView view = rig.store.read()) {
      view.scan(
          new byte[0],
          new byte[] {(byte) 0xFF},
          Integer.MAX_VALUE,
          (key, value) -> {
            if (!Arrays.equals(key, countersKey) && Keyspace.ofKey(key) != Keyspace.AGENDA) {
              rows.put(Bytes.hex(key), Bytes.hex(value));
            }
            return true;
          });
    }
    rows.put("states", Arrays.toString(rig.storedCounts().states()));
    rows.put("totals", Arrays.toString(rig.storedCounts().totals()));
    rows.put("depth", Long.toString(rig.mail().depth()));
    return rows;
  }

  private static void removeAll(TransitionRig rig) {
    List<LeaseEntry> held = List.copyOf(rig.state.leases().all());
    rig.apply(new ReleaseAll(held));
    for (JobState state : EnumSet.complementOf(EnumSet.of(JobState.LEASED))) {
      Optional<Purge.Next> next = rig.apply(new Purge(MAIL, state, null)).next();
      while (next.isPresent()) {
        next = rig.apply(new Purge(MAIL, state, next.get())).next();
      }
    }
  }
}
