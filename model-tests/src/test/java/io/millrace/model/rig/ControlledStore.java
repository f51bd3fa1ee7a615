package io.millrace.model.rig;

import io.millrace.internal.format.Keyspace;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.ScanSize;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.testkit.ForwardingStore;
import io.millrace.spi.testkit.ForwardingView;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store whose writes a test can hold up, so that requests gather into one group, and cut off,
 * which is what the death of the process looks like from outside. Any thread may hold, let go and
 * cut.
 */
public final class ControlledStore extends ForwardingStore {

  private static final byte[] FIRST_KEY = {0};
  private static final byte[] AFTER_LAST_KEY = {-1, -1, -1, -1, -1, -1, -1, -1};

  private final AtomicReference<@Nullable Hold> hold = new AtomicReference<>();
  private final AtomicLong rowsVisited = new AtomicLong();
  private final AtomicLong readCount = new AtomicLong();
  private final AtomicLong mostBytesAtOnce = new AtomicLong();
  private final AtomicLong valueBytesRead = new AtomicLong();
  private final AtomicLong bytesWritten = new AtomicLong();
  private final AtomicLong mostOperationsAtOnce = new AtomicLong();
  private final AtomicReference<@Nullable Error> nextError = new AtomicReference<>();
  private final AtomicInteger soundWrites = new AtomicInteger();
  private final AtomicReference<@Nullable ReadFault> nextReadFault = new AtomicReference<>();
  private volatile boolean isCut;

  ControlledStore(OrderedStore store) {
    super(store);
  }

  /** How many rows scans have visited so far. */
  public long rowsVisited() {
    return rowsVisited.get();
  }

  /** How many reads there were, each of which is a round trip to a store that is remote. */
  public long readCount() {
    return readCount.get();
  }

  /** The most that one read of rows by their keys has brought, in bytes. */
  public long mostBytesAtOnce() {
    return mostBytesAtOnce.get();
  }

  /** How long the values were, in bytes, that were read by their keys. */
  public long valueBytesRead() {
    return valueBytesRead.get();
  }

  /** How long keys and values were, in bytes, that were written. */
  public long bytesWritten() {
    return bytesWritten.get();
  }

  /** The most keys that one batch has written since this was last asked. */
  public long takeMostOperationsAtOnce() {
    return mostOperationsAtOnce.getAndSet(0);
  }

  /** How many rows there are. */
  public long rowCount() {
    try (ReadView view = store.read()) {
      return view.scan(FIRST_KEY, AFTER_LAST_KEY, Integer.MAX_VALUE, (key, value) -> true);
    }
  }

  /**
   * A stop sign: {@code reached} when a writer stands before it, {@code open} when it may go on.
   */
  private record Hold(Call call, CountDownLatch reached, CountDownLatch open) {}

  private enum Call {
    WRITE,
    SYNC
  }

  /** The next write waits for {@link #letGo}. */
  public void holdNextWrite() {
    hold.set(new Hold(Call.WRITE, new CountDownLatch(1), new CountDownLatch(1)));
  }

  /** The next sync waits for {@link #letGo}. */
  public void holdNextSync() {
    hold.set(new Hold(Call.SYNC, new CountDownLatch(1), new CountDownLatch(1)));
  }

  /** Waits until the engine is held. */
  public void awaitHeld() throws InterruptedException {
    Hold current = hold.get();
    if (current != null) {
      current.reached().await();
    }
  }

  /** Lets go, and the next sync waits for {@link #letGo}. */
  public void letGoUntilSync() {
    letGoUntil(Call.SYNC);
  }

  /** Lets go, and the next write waits for {@link #letGo}. */
  public void letGoUntilWrite() {
    letGoUntil(Call.WRITE);
  }

  private void letGoUntil(Call call) {
    Hold next = new Hold(call, new CountDownLatch(1), new CountDownLatch(1));
    Hold current = hold.getAndSet(next);
    if (current != null) {
      current.open().countDown();
    }
  }

  public void letGo() {
    Hold current = hold.getAndSet(null);
    if (current != null) {
      current.open().countDown();
    }
  }

  /** The next write throws this, as no store ever should. */
  public void breakNextWrite(Error error) {
    breakWriteAfter(0, error);
  }

  /** A write throws this, after some that succeed. */
  public void breakWriteAfter(int writes, Error error) {
    soundWrites.set(writes);
    nextError.set(error);
  }

  /** What a read of a keyspace throws, after some that succeed. */
  private record ReadFault(byte keyspace, AtomicInteger left, Supplier<Throwable> fault) {

    void pass(byte[] key) {
      if (key[0] == keyspace && left.getAndDecrement() == 0) {
        Throwable thrown = fault.get();
        if (thrown instanceof Error error) {
          throw error;
        }
        throw (RuntimeException) thrown;
      }
    }
  }

  /**
   * A read throws this.
   *
   * @param keyspace only reads that begin in it count
   * @param passes how many of them succeed before
   * @param thrown an error or an unchecked exception
   */
  public void breakRead(Keyspace keyspace, int passes, Throwable thrown) {
    breakRead(keyspace, passes, () -> thrown);
  }

  /** As the other, but the reader does something first: it makes what is thrown. */
  public void breakRead(Keyspace keyspace, int passes, Supplier<Throwable> fault) {
    nextReadFault.set(new ReadFault(keyspace.code(), new AtomicInteger(passes), fault));
  }

  private void passRead(byte[] key) {
    ReadFault fault = nextReadFault.get();
    if (fault != null) {
      fault.pass(key);
    }
  }

  /** From now on nothing gets through to the store, as if the process had died. */
  public void cut() {
    isCut = true;
    letGo();
  }

  @Override
  public ReadView read() {
    return new CountedView(store.read());
  }

  @Override
  public void write(WriteBatch batch) {
    pass(Call.WRITE);
    requireUncut();
    Error error = nextError.get();
    if (error != null && soundWrites.getAndDecrement() == 0) {
      nextError.set(null);
      throw error;
    }
    store.write(batch);
    bytesWritten.addAndGet(batch.bytes());
    mostOperationsAtOnce.accumulateAndGet(batch.size(), Math::max);
  }

  @Override
  public void sync() {
    pass(Call.SYNC);
    requireUncut();
    store.sync();
  }

  private void pass(Call call) {
    Hold current = hold.get();
    if (current != null && current.call() == call) {
      current.reached().countDown();
      awaitUninterruptibly(current.open());
    }
  }

  @Override
  public void settle() {
    if (!isCut) {
      store.settle();
    }
  }

  /** Counts reads, and what scans visit. */
  private final class CountedView extends ForwardingView {

    CountedView(ReadView view) {
      super(view);
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
      readCount.incrementAndGet();
      passRead(key);
      byte @Nullable [] value = view.get(key);
      valueBytesRead.addAndGet(value == null ? 0 : value.length);
      return value;
    }

    @Override
    public List<byte @Nullable []> getAll(List<byte[]> keys) {
      readCount.incrementAndGet();
      keys.forEach(ControlledStore.this::passRead);
      List<byte @Nullable []> values = view.getAll(keys);
      long bytes = values.stream().mapToLong(value -> value == null ? 0 : value.length).sum();
      mostBytesAtOnce.accumulateAndGet(bytes, Math::max);
      valueBytesRead.addAndGet(bytes);
      return values;
    }

    @Override
    public int scan(byte[] startInclusive, byte[] endExclusive, ScanSize size, RowVisitor visitor) {
      readCount.incrementAndGet();
      passRead(startInclusive);
      int count = view.scan(startInclusive, endExclusive, size, visitor);
      rowsVisited.addAndGet(count);
      return count;
    }
  }

  private void requireUncut() {
    if (isCut) {
      throw new StoreFailedException("the store was cut off by the test");
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    boolean wasInterrupted = false;
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        wasInterrupted = true;
      }
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
