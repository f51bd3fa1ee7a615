package io.millrace.model.seeds;

import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseRecord;
import io.millrace.model.seeds.StoreEvent.Kind;
import io.millrace.model.seeds.StoreEvent.Outcome;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.ScanSize;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.testkit.ForwardingStore;
import io.millrace.spi.testkit.ForwardingView;
import io.millrace.spi.testkit.StoreCall;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One opening of a store whose calls are written down. */
final class TracedStore extends ForwardingStore {

  private final TracedFactory factory;
  private final TurnClock clock;
  private final Trace trace;
  private boolean isDead;

  TracedStore(TracedFactory factory, OrderedStore store, TurnClock clock) {
    super(store);
    this.factory = factory;
    this.clock = clock;
    this.trace = factory.trace();
  }

  void die() {
    isDead = true;
  }

  @Override
  public void write(WriteBatch batch) {
    clock.awaitAnswers();
    Optional<Mishap> mishap = factory.nextMishap(StoreCall.WRITE);
    Outcome outcome = Outcome.FAILED;
    try {
      requireAlive();
      store.write(batch);
      outcome = Outcome.DONE;
    } catch (StoreFullException e) {
      outcome = Outcome.FULL;
      mishap.ifPresent(factory::refused);
      throw e;
    } finally {
      boolean usesReserve = batch.reserve() == WriteBatch.Reserve.USE;
      trace.addBatch(batch, outcome.name());
      factory
          .events()
          .add(
              new StoreEvent(
                  Kind.WRITE,
                  batch.number(),
                  batch.size(),
                  usesReserve,
                  outcome,
                  factory.takeSlowMs(),
                  tokens(batch)));
    }
    mishap.ifPresent(factory::follow);
  }

  private static Set<Long> tokens(WriteBatch batch) {
    Set<Long> tokens = new TreeSet<>();
    for (int i = 0; i < batch.size(); i++) {
      byte[] key = batch.key(i);
      byte[] value = batch.value(i);
      if (value != null && key[0] == Keyspace.LEASE.code()) {
        tokens.add(LeaseRecord.decode(key, value).token());
      }
    }
    return tokens;
  }

  @Override
  public void sync() {
    clock.awaitAnswers();
    Optional<Mishap> mishap = factory.nextMishap(StoreCall.SYNC);
    Outcome outcome = Outcome.FAILED;
    try {
      requireAlive();
      store.sync();
      outcome = Outcome.DONE;
    } finally {
      trace.add("sync: " + outcome);
      factory
          .events()
          .add(
              new StoreEvent(
                  Kind.SYNC,
                  store.lastCommit(),
                  0,
                  false,
                  outcome,
                  factory.takeSlowMs(),
                  Set.of()));
    }
    mishap.ifPresent(factory::follow);
  }

  private void requireAlive() {
    if (isDead) {
      throw new StoreFailedException("the process has died");
    }
  }

  @Override
  public ReadView read() {
    if (Thread.currentThread() instanceof Caller) {
      clock.awaitLoopAtRest();
    }
    clock.awaitAnswers();
    trace.add("read");
    return new TracedView(store.read());
  }

  @Override
  public void close() {
    clock.awaitAnswers();
    try {
      store.close();
      trace.add("close");
    } catch (StoreException e) {
      trace.add("close failed");
      throw e;
    }
  }

  /** A view whose rows are written down as they are read. */
  private final class TracedView extends ForwardingView {

    TracedView(ReadView view) {
      super(view);
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
      byte[] value = view.get(key);
      trace.addRead("get", key, value);
      return value;
    }

    @Override
    public List<byte @Nullable []> getAll(List<byte[]> keys) {
      List<byte @Nullable []> values = view.getAll(keys);
      for (int i = 0; i < keys.size(); i++) {
        trace.addRow(keys.get(i), values.get(i));
      }
      trace.end("get all of " + keys.size());
      return values;
    }

    @Override
    public int scan(byte[] startInclusive, byte[] endExclusive, ScanSize size, RowVisitor visitor) {
      trace.add(startInclusive);
      trace.add(endExclusive);
      int count =
          view.scan(
              startInclusive,
              endExclusive,
              size,
              (key, value) -> {
                trace.addRow(key, value);
                return visitor.visit(key, value);
              });
      trace.end("scan of " + count + " rows");
      return count;
    }
  }
}
