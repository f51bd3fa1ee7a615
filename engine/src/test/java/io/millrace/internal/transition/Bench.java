package io.millrace.internal.transition;

import io.millrace.api.Durability;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueResult;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.internal.format.Incarnation;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.state.BatchLimits;
import io.millrace.internal.state.ClaimSpec;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.TimerHead;
import io.millrace.internal.state.WorkingSet;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A store in memory to which transitions are applied, each in a batch of its own. */
final class Bench implements AutoCloseable {

  static final QueueName MAIL = QueueName.of("mail");
  static final long START_MS = 1_700_000_000_000L;

  final WorkingSet state =
      new WorkingSet(
          new WorkingSet.Rules(
              Durability.SYNCED,
              false,
              100_000,
              1 << 20,
              new BatchLimits(131_072, 64 << 20),
              new Incarnation(1, 2)));
  final TimerHead head = state.newTimerHead();
  final OrderedStore store =
      ServiceLoader.load(StoreFactory.class)
          .findFirst()
          .orElseThrow()
          .open(StoreOptions.of(Path.of("transition-" + UUID.randomUUID())));

  long nowMs = START_MS;

  /** Rows that transitions have scanned. */
  long rowsVisited;

  private @Nullable WriteBatch lastBatch;

  Bench() {
    apply(new OpenStore(store.epoch()));
  }

  /** Applies a transition and stores what it changed. */
  <R> R apply(Transition<R> transition) {
    WriteBatch batch = new WriteBatch(store.lastCommit() + 1);
    try (ReadView view = store.read()) {
      Change change = begin(batch, view);
      R result = applyTo(change, view, transition);
      LeaseRows.putAll(change);
      change.finish();
      lastBatch = batch;
      if (!batch.isEmpty()) {
        store.write(batch);
      }
      state.leases().commitBatch(0);
      return result;
    }
  }

  /** Applies a transition in a batch that never happens. */
  <R> R applyInVain(Transition<R> transition) {
    WriteBatch batch = new WriteBatch(store.lastCommit() + 1);
    try (ReadView view = store.read()) {
      Change change = begin(batch, view);
      R result = applyTo(change, view, transition);
      LeaseRows.putAll(change);
      change.finish();
      change.undo();
      return result;
    }
  }

  private Change begin(WriteBatch batch, ReadView view) {
    state.leases().beginBatch();
    Change.Sources sources = new Change.Sources(() -> 0.5, nowMs, nowMs, 0, new Change.Syncs(0, 0));
    return new Change(state, batch, () -> counting(view), sources);
  }

  private ReadView counting(ReadView view) {
    return new ReadView() {
      @Override
      public long commit() {
        return view.commit();
      }

      @Override
      public byte @Nullable [] get(byte[] key) {
        return view.get(key);
      }

      @Override
      public List<byte @Nullable []> getAll(List<byte[]> keys) {
        return view.getAll(keys);
      }

      @Override
      public int scan(
          byte[] startInclusive, byte[] endExclusive, int rowCountMax, RowVisitor visitor) {
        int count = view.scan(startInclusive, endExclusive, rowCountMax, visitor);
        rowsVisited += count;
        return count;
      }

      @Override
      public void close() {
        view.close();
      }
    };
  }

  private <R> R applyTo(Change change, ReadView view, Transition<R> transition) {
    RowReads reads = new RowReads();
    transition.declare(state, reads);
    reads.fetch(() -> view);
    change.begin(new Moment(nowMs, nowMs, 0), Durability.SYNCED);
    return transition.apply(change);
  }

  JobId enqueue(EnqueueOptions options) {
    EnqueueResult result =
        apply(new Enqueue(MAIL, List.of(new NewJob(new byte[8], options)))).get(0);
    return result.jobId();
  }

  Grant claim() {
    return apply(
            new Claim(new ClaimSpec(List.of(MAIL), "worker", 1, 30_000, 9, 9, Integer.MAX_VALUE)))
        .get(0);
  }

  LeaseRef ref(Grant grant) {
    return new LeaseRef(grant);
  }

  void configure(QueueSettings settings) {
    apply(Configure.settings(MAIL, settings));
  }

  QueueState mail() {
    return state.queue(MAIL, 0);
  }

  long count(JobState jobState) {
    return mail().count(jobState);
  }

  int rows(Keyspace keyspace) {
    try (ReadView view = store.read()) {
      return view.scan(keyspace.start(), keyspace.end(), Integer.MAX_VALUE, (key, value) -> true);
    }
  }

  List<byte[]> keys(Keyspace keyspace) {
    List<byte[]> keys = new ArrayList<>();
    try (ReadView view = store.read()) {
      view.scan(keyspace.start(), keyspace.end(), Integer.MAX_VALUE, (key, value) -> keys.add(key));
    }
    return keys;
  }

  void put(byte[] key, byte[] value) {
    WriteBatch batch = new WriteBatch(store.lastCommit() + 1);
    batch.put(key, value);
    store.write(batch);
  }

  /** What the last batch did to the rows of jobs: the queue's own rows are left out. */
  List<String> lastOperations() {
    WriteBatch batch = lastBatch;
    List<String> operations = new ArrayList<>();
    for (int i = 0; batch != null && i < batch.size(); i++) {
      Keyspace keyspace = Keyspace.ofKey(batch.key(i));
      switch (keyspace) {
        case META, QUEUE, QUEUE_NAME, COUNTERS, AGENDA -> {}
        default -> operations.add((batch.value(i) == null ? "delete " : "put ") + keyspace);
      }
    }
    return operations;
  }

  @Override
  public void close() {
    store.close();
  }
}
