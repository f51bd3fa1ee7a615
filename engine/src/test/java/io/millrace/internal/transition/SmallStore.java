package io.millrace.internal.transition;

import io.millrace.api.Durability;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueResult;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.Incarnation;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.state.BatchLimits;
import io.millrace.internal.state.ClaimSpec;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.function.Consumer;

/** A store and a working set on which transitions are carried out one at a time, without a loop. */
final class SmallStore implements AutoCloseable {

  static final QueueName MAIL = QueueName.of("mail");
  static final long START_MS = 1_000_000;

  final WorkingSet state =
      new WorkingSet(
          new WorkingSet.Rules(
              Durability.SYNCED,
              false,
              100,
              1 << 20,
              new BatchLimits(131_072, 64 << 20),
              new Incarnation(1, 1)));
  private final OrderedStore store =
      ServiceLoader.load(StoreFactory.class)
          .findFirst()
          .orElseThrow()
          .open(StoreOptions.of(Path.of("small")));
  long nowMs = START_MS;

  SmallStore() {
    apply(new OpenStore(1));
  }

  /** Carries it out as a batch of its own, which has the rows of all leases. */
  <R> R apply(Transition<R> transition) {
    try (ReadView view = store.read()) {
      Change change = change(view);
      R result = apply(change, transition);
      LeaseRows.putAll(change);
      finish(change);
      return result;
    }
  }

  /**
   * Carries it out and others in one batch, where rows of new leases are left to the next one.
   * Answers the result of the first.
   */
  <R> R applyWithoutRows(Transition<R> first, Transition<?>... others) {
    try (ReadView view = store.read()) {
      Change change = change(view);
      R result = apply(change, first);
      for (Transition<?> other : others) {
        apply(change, other);
      }
      finish(change);
      return result;
    }
  }

  /** A batch of nothing but what is due by now. */
  void applyNothing() {
    try (ReadView view = store.read()) {
      finish(change(view));
    }
  }

  private void finish(Change change) {
    change.finish();
    if (!change.batch().isEmpty()) {
      store.write(change.batch());
    }
    state.leases().commitBatch(nowNs());
    state.tally().commitBatch();
  }

  private long nowNs() {
    return nowMs * 1_000_000;
  }

  /** Carries it out, and then the batch never happens. */
  <R> R applyInVain(Transition<R> transition) {
    try (ReadView view = store.read()) {
      Change change = change(view);
      R result = apply(change, transition);
      change.finish();
      change.undo();
      return result;
    }
  }

  /** Hands over a change of which nothing is written. */
  void look(Consumer<Change> looker) {
    try (ReadView view = store.read()) {
      looker.accept(change(view));
    }
  }

  private Change change(ReadView view) {
    state.leases().beginBatch();
    return new Change(
        state,
        new WriteBatch(store.lastCommit() + 1),
        () -> view,
        new Change.Sources(() -> 0.5, nowMs, nowMs, nowNs(), new Change.Syncs(0, 0)));
  }

  <R> R apply(Change change, Transition<R> transition) {
    RowReads reads = new RowReads();
    transition.declare(state, reads);
    reads.fetch(store::read);
    change.begin(new Moment(nowMs, nowMs, nowMs * 1_000_000), Durability.SYNCED);
    return transition.apply(change);
  }

  JobId enqueue(String payload, EnqueueOptions options) {
    NewJob job = new NewJob(payload.getBytes(StandardCharsets.UTF_8), options);
    EnqueueResult result = apply(new Enqueue(MAIL, List.of(job))).get(0);
    return result.jobId();
  }

  Grant claim() {
    List<Grant> grants = apply(claimOf(1));
    return grants.get(0);
  }

  static Claim claimOf(int max) {
    return new Claim(
        new ClaimSpec(List.of(MAIL), "worker", max, 30_000, 65_535, 65_535, Integer.MAX_VALUE));
  }

  static List<LeaseRef> ref(Grant grant) {
    return List.of(new LeaseRef(grant));
  }

  long count(JobState jobState) {
    return mail().count(jobState);
  }

  QueueState mail() {
    QueueState[] queue = new QueueState[1];
    look(change -> queue[0] = change.queue(MAIL));
    return queue[0];
  }

  /** Counts of the queue as they are stored. */
  CountersRecord storedCounts() {
    byte[] key = CounterKeys.key(mail().number());
    try (ReadView view = store.read()) {
      return CountersRecord.decode(key, Objects.requireNonNull(view.get(key)));
    }
  }

  long lastCommit() {
    return store.lastCommit();
  }

  /** Keys of all rows of a keyspace. */
  List<byte[]> rows(Keyspace keyspace) {
    List<byte[]> keys = new ArrayList<>();
    try (ReadView view = store.read()) {
      view.scan(keyspace.start(), keyspace.end(), 1_000, (key, value) -> keys.add(key));
    }
    return keys;
  }

  int rowCount(Keyspace... keyspaces) {
    int count = 0;
    for (Keyspace keyspace : keyspaces) {
      count += rows(keyspace).size();
    }
    return count;
  }

  void damage(byte[] key) {
    WriteBatch batch = new WriteBatch(store.lastCommit() + 1);
    batch.put(key, new byte[] {1, 2, 3});
    store.write(batch);
  }

  void remove(byte[] key) {
    WriteBatch batch = new WriteBatch(store.lastCommit() + 1);
    batch.delete(key);
    store.write(batch);
  }

  @Override
  public void close() {
    store.close();
  }
}
