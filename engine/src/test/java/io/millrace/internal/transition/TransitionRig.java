package io.millrace.internal.transition;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Durability;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.NewJob;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.QueueStats;
import io.millrace.api.VerifyReport;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.Incarnation;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.JobField;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.JobRecordBuilder;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.MovedKeys;
import io.millrace.internal.format.MovedRecord;
import io.millrace.internal.format.QueueKeys;
import io.millrace.internal.format.QueueRecord;
import io.millrace.internal.format.WaitingKeys;
import io.millrace.internal.read.StoreReader;
import io.millrace.internal.state.BatchLimits;
import io.millrace.internal.state.ClaimSpec;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.DelayClock;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.Rules;
import io.millrace.internal.state.TimerHead;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.job.Enqueue;
import io.millrace.internal.transition.lease.Claim;
import io.millrace.internal.transition.lease.Fail;
import io.millrace.internal.transition.lease.Grant;
import io.millrace.internal.transition.lease.LeaseRows;
import io.millrace.internal.transition.lease.NamedLease;
import io.millrace.internal.transition.move.HandOn;
import io.millrace.internal.transition.queue.Configure;
import io.millrace.internal.transition.queue.Queues;
import io.millrace.internal.transition.tally.TallyEnds;
import io.millrace.internal.transition.upkeep.BatchSteps;
import io.millrace.internal.transition.upkeep.OpenStore;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Transitions on a store in memory, without a loop: each as a batch of its own unless the test says
 * otherwise, with the time in the test's hands. For one thread.
 */
final class TransitionRig implements AutoCloseable {

  static final QueueName MAIL = QueueName.of("mail");

  static final long START_MS = 1_000_000;

  private static final long LEASE_MS = 30_000;

  /** Jobs or rows of a step, as beside many requests. */
  static final int STEP_ROWS = 1_000;

  final WorkingSet state;
  final TimerHead head;
  final OrderedStore store;
  long nowMs = START_MS;

  /** How far steady time is ahead of engine time. */
  long steadyLeadMs;

  private final long[] rowsRead = {0};
  private WriteBatch lastBatch = new WriteBatch(1);
  private long lastAnswerCommit;
  private Cost lastCost = Cost.NOTHING;

  TransitionRig() {
    this(1 << 20);
  }

  TransitionRig(long windowBytesMax) {
    this(windowBytesMax, new BatchLimits(131_072, 64 << 20));
  }

  TransitionRig(long windowBytesMax, BatchLimits limits) {
    store =
        ServiceLoader.load(StoreFactory.class)
            .findFirst()
            .orElseThrow()
            .open(StoreOptions.of(Path.of("transition-" + UUID.randomUUID())));
    state =
        new WorkingSet(
            new Rules(
                Durability.SYNCED,
                false,
                StoreInfo.Sharing.EXCLUSIVE,
                100_000,
                100_000,
                windowBytesMax,
                limits,
                1_000,
                new Incarnation(1, 2)));
    head = state.timerHeads().newHead(DelayClock.STEADY);
    apply(new OpenStore(store.epoch()));
  }

  /** Rows that transitions have read while they were carried out. */
  long rowsRead() {
    return rowsRead[0];
  }

  /** The number of a queue; -1 if it does not exist. */
  int number(QueueName name) {
    byte[] key = QueueKeys.key(name);
    try (ReadView view = store.read()) {
      byte[] value = view.get(key);
      return value == null ? -1 : QueueRecord.decode(key, value).number();
    }
  }

  /** Visits the rows of the READY keyspace, which is the order in which a queue is served. */
  void visitReady(ReadView.RowVisitor visitor) {
    try (ReadView view = store.read()) {
      view.scan(Keyspace.READY.start(), Keyspace.READY.end(), Integer.MAX_VALUE, visitor);
    }
  }

  /** Carries a transition out and writes its batch, which has the rows of all leases. */
  <R> R apply(Transition<R> transition) {
    return apply(transition, Durability.SYNCED);
  }

  <R> R apply(Transition<R> transition, Durability level) {
    try (ReadView view = new CountingView(store.read(), rowsRead)) {
      OpenBatch batch = begin(view);
      R result = applyTo(batch, transition, level);
      LeaseRows.putAll(batch);
      finish(batch);
      return result;
    }
  }

  /**
   * Carries transitions out in one batch, where rows of new leases are left to the next one.
   * Answers the result of the first.
   */
  <R> R applyWithoutRows(Transition<R> first, Transition<?>... others) {
    try (ReadView view = store.read()) {
      OpenBatch batch = begin(view);
      R result = applyAll(batch, first, others);
      finish(batch);
      return result;
    }
  }

  /** A batch of nothing but what is due by now. */
  void applyNothing() {
    try (ReadView view = store.read()) {
      finish(begin(view));
    }
  }

  /**
   * Carries transitions out in one batch that then never happens. Answers the result of the first.
   */
  <R> R applyInVain(Transition<R> first, Transition<?>... others) {
    try (ReadView view = store.read()) {
      OpenBatch batch = begin(view);
      R result = applyAll(batch, first, others);
      BatchSteps.end(batch);
      state.undoBatch();
      return result;
    }
  }

  /** Hands over a change of which nothing is written. */
  void look(Consumer<OpenBatch> looker) {
    try (ReadView view = store.read()) {
      looker.accept(begin(view));
    }
  }

  /** A batch whose reads are of the view. */
  OpenBatch begin(ReadView view) {
    OpenBatch.Context context =
        new OpenBatch.Context(
            () -> 0.5,
            nowMs,
            nowMs + steadyLeadMs,
            nowNs(),
            new OpenBatch.Syncs(0, Long.MAX_VALUE),
            STEP_ROWS);
    state.beginBatch();
    return new OpenBatch(state, new WriteBatch(store.lastCommit() + 1), () -> view, context);
  }

  private <R> R applyAll(OpenBatch batch, Transition<R> first, Transition<?>... others) {
    R result = applyTo(batch, first, Durability.SYNCED);
    for (Transition<?> other : others) {
      applyTo(batch, other, Durability.SYNCED);
    }
    return result;
  }

  /** Carries a transition out as a part of a change. */
  <R> R applyTo(OpenBatch batch, Transition<R> transition, Durability level) {
    batch.reads().forget();
    transition.declare(state, batch.reads());
    batch.reads().fetch();
    batch.begin(submitTime(), level);
    Cost before = batch.declared();
    batch.carry(transition);
    R result = transition.apply(batch);
    TallyEnds.all(batch, submitTime());
    HandOn.all(batch, submitTime());
    Cost after = batch.declared();
    lastCost = new Cost(after.operations() - before.operations(), after.bytes() - before.bytes());
    assertThat(lastCost.operations()).isLessThanOrEqualTo(transition.cost().operations());
    assertThat(lastCost.bytes()).isLessThanOrEqualTo(transition.cost().bytes());
    return result;
  }

  private SubmitTime submitTime() {
    return new SubmitTime(nowMs, nowMs + steadyLeadMs, nowNs());
  }

  private void finish(OpenBatch batch) {
    BatchSteps.end(batch);
    lastBatch = batch.writes();
    lastAnswerCommit = batch.answerCommit();
    if (!lastBatch.isEmpty()) {
      store.write(lastBatch);
    }
    state.commitBatch(nowNs());
  }

  private long nowNs() {
    return nowMs * 1_000_000;
  }

  /** Keyspaces that the last batch put rows into. */
  String lastPuts() {
    return keyspaces(i -> lastBatch.value(i) != null);
  }

  /** Keyspaces that the last batch put rows into which it said to be new. */
  String lastNews() {
    return keyspaces(lastBatch::isNew);
  }

  /** Keyspaces that the last batch deleted rows from. */
  String lastDeletes() {
    return keyspaces(i -> lastBatch.value(i) == null);
  }

  private String keyspaces(IntPredicate ofOperation) {
    return IntStream.range(0, lastBatch.size())
        .filter(ofOperation)
        .mapToObj(i -> Keyspace.ofKey(lastBatch.key(i)))
        .collect(Collectors.toCollection(TreeSet::new))
        .toString();
  }

  /** What the last batch did to the rows of jobs: the queue's own rows are left out. */
  List<String> lastOperations() {
    List<String> operations = new ArrayList<>();
    for (int i = 0; i < lastBatch.size(); i++) {
      Keyspace keyspace = Keyspace.ofKey(lastBatch.key(i));
      switch (keyspace) {
        case META, QUEUE, QUEUE_NAME, COUNTERS, AGENDA -> {}
        default -> operations.add((lastBatch.value(i) == null ? "delete " : "put ") + keyspace);
      }
    }
    return operations;
  }

  /** What the last transition added to its batch. */
  Cost lastCost() {
    return lastCost;
  }

  /** The commit that the last answer waits for; 0 for none. */
  long lastAnswerCommit() {
    return lastAnswerCommit;
  }

  long lastCommit() {
    return store.lastCommit();
  }

  void put(byte[] key, byte[] value) {
    WriteBatch writes = new WriteBatch(store.lastCommit() + 1);
    writes.put(key, value);
    store.write(writes);
  }

  /** Puts rubbish into a row. */
  void damage(byte[] key) {
    put(key, new byte[] {1, 2, 3});
  }

  void remove(byte[] key) {
    WriteBatch writes = new WriteBatch(store.lastCommit() + 1);
    writes.delete(key);
    store.write(writes);
  }

  /** Keys of all rows of a keyspace. */
  List<byte[]> keys(Keyspace keyspace) {
    List<byte[]> keys = new ArrayList<>();
    try (ReadView view = store.read()) {
      view.scan(keyspace.start(), keyspace.end(), Integer.MAX_VALUE, (key, value) -> keys.add(key));
    }
    return keys;
  }

  int rowCount(Keyspace... keyspaces) {
    return Stream.of(keyspaces).mapToInt(keyspace -> keys(keyspace).size()).sum();
  }

  /** The queue as the working set has it. */
  QueueState mail() {
    QueueState[] queue = new QueueState[1];
    look(batch -> queue[0] = Queues.named(batch, MAIL));
    return queue[0];
  }

  /** How many of its jobs are in a state, as the working set counts them. */
  long count(JobState jobState) {
    return mail().count(jobState);
  }

  /** Counts of the queue as they are stored. */
  CountersRecord storedCounts() {
    byte[] key = CounterKeys.key(mail().number());
    try (ReadView view = store.read()) {
      return CountersRecord.decode(key, Objects.requireNonNull(view.get(key)));
    }
  }

  void configure(QueueSettings settings) {
    apply(Configure.resumed(MAIL));
    if (apply(Configure.settings(MAIL, mail().settings(), settings)).isPresent()) {
      throw new IllegalStateException("settings are not those that were just looked at");
    }
  }

  JobId enqueue(EnqueueOptions options) {
    return enqueue("job", options);
  }

  JobId enqueue(String payload, EnqueueOptions options) {
    NewJob job = new NewJob(payload.getBytes(UTF_8), options);
    return apply(new Enqueue(MAIL, List.of(job))).get(0).orThrow().jobId();
  }

  JobId enqueue(String payload) {
    return enqueue(payload, EnqueueOptions.DEFAULT);
  }

  /** Makes a delayed job wait for a signal, which no operation does yet. */
  void await(JobId id, byte[] signal) {
    JobAddress job = JobAddress.of(id).orElseThrow();
    byte[] key = WaitingKeys.key(job.queue(), signal, job.birth());
    moveDelayed(job, JobState.WAITING, key, record -> record.set(JobField.SIGNAL, signal));
  }

  /** Writes its rows and the counts by hand. */
  private void moveDelayed(
      JobAddress address, JobState state, byte[] to, UnaryOperator<JobRecordBuilder> edit) {
    byte[] movedKey = MovedKeys.key(address.queue(), address.birth());
    byte[] countersKey = CounterKeys.key(address.queue());
    WriteBatch writes = new WriteBatch(store.lastCommit() + 1);
    try (ReadView view = store.read()) {
      byte[] key = MovedRecord.decode(movedKey, view.get(movedKey)).key();
      JobRecord job = JobRecord.decode(key, view.get(key));
      CountersRecord counters = CountersRecord.decode(countersKey, view.get(countersKey));
      counters.states()[JobState.DELAYED.ordinal()]--;
      counters.states()[state.ordinal()]++;
      writes.delete(key);
      writes.put(to, edit.apply(job.toBuilder()).build().encode(to));
      writes.put(movedKey, new MovedRecord(to).encode(movedKey));
      writes.put(countersKey, counters.encode(countersKey));
    }
    store.write(writes);
    unload();
  }

  static Claim claimOf(int max) {
    return new Claim(
        new ClaimSpec(
            List.of(MAIL),
            "w1",
            max,
            LEASE_MS,
            65_535,
            65_535,
            Integer.MAX_VALUE,
            Map.of(),
            0,
            List.of()));
  }

  /** Grants leases that do not run out: their deadlines are not set. */
  List<Grant> claim(int max) {
    return apply(claimOf(max));
  }

  Grant claim() {
    return claim(1).get(0);
  }

  static NamedLease ref(Grant grant) {
    return new NamedLease(grant);
  }

  static List<NamedLease> refs(Grant grant) {
    return List.of(ref(grant));
  }

  /** A job dies of its first attempt. */
  void die() {
    apply(new Fail(List.of(ref(claim())), "broken", FailOptions.PERMANENT));
  }

  Job job(JobId id) {
    return reader().get(id).orElseThrow();
  }

  boolean exists(JobId id) {
    return reader().get(id).isPresent();
  }

  /** Payloads of the jobs in a state, in their order. */
  List<String> payloads(JobState wanted) {
    return reader().peek(MAIL, wanted, PageRequest.first(1_000)).items().stream()
        .map(job -> new String(job.payload(), UTF_8))
        .toList();
  }

  QueueStats stats() {
    return reader().stats(MAIL).orElseThrow();
  }

  /** What is wrong with the store. */
  List<VerifyReport.Problem> problems() {
    return reader().verify().problems();
  }

  /** All queues leave the memory. */
  void unload() {
    state.forgetStored();
  }

  private StoreReader reader() {
    return new StoreReader(() -> store, () -> nowMs, key -> {}, () -> {});
  }

  @Override
  public void close() {
    store.close();
  }
}
