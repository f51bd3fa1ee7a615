package io.millrace.jmh.suite;

import io.millrace.jmh.load.RawWriter;
import io.millrace.jmh.load.RunFolder;
import io.millrace.spi.StoreFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A bare store to which the batches of the engine are written, without the engine.
 *
 * <p>A store is written by one thread, and that thread is to wait for nobody. So a caller whose
 * operation is not paid for yet lets it write batches for a while, and the others wait for that.
 * Then every caller has as many operations free as a caller of the engine had for that many
 * batches. All of them get the same, for a caller that was left out would begin to count only when
 * time is up.
 *
 * <p>Over an iteration the mean is that of the store; single operations tell nothing, nor do
 * percentiles of them.
 */
final class RawSide implements Side {

  /**
   * The time that one slice of writing takes: so long that handing over to the writer does not
   * count, and short for an iteration.
   */
  private static final long SLICE_NS = TimeUnit.MILLISECONDS.toNanos(10);

  private final SideState load;
  private final StoreFactory factory;
  private final BatchShape shape;
  private final ThreadLocal<Account> accounts = ThreadLocal.withInitial(Account::new);
  private final AtomicReference<@Nullable CompletableFuture<@Nullable Void>> slice =
      new AtomicReference<>();

  /**
   * The operations that are paid for, for each caller. Written by the caller that has the slice.
   */
  private volatile double paidCount;

  private RunFolder folder;
  private RawWriter writer;

  RawSide(SideState load, BatchShape shape) {
    this.load = load;
    this.factory = load.factory();
    this.shape = shape;
    folder = RunFolder.create(load.path("raw"));
    writer = open();
  }

  private RawWriter open() {
    return new RawWriter(factory, folder.path().resolve("store"));
  }

  @Override
  public Object operate() {
    Account account = accounts.get();
    account.usedCount++;
    while (account.usedCount > paidCount) {
      awaitSlice(account);
    }
    return account;
  }

  private void awaitSlice(Account account) {
    CompletableFuture<@Nullable Void> mine = new CompletableFuture<>();
    CompletableFuture<@Nullable Void> underWay = slice.compareAndExchange(null, mine);
    if (underWay != null) {
      underWay.join();
      return;
    }
    try {
      // Another slice may have ended since this caller looked.
      if (account.usedCount > paidCount) {
        paidCount = paidCount + writeSlice() * shape.operationsPerBatchOfCaller();
      }
    } finally {
      slice.set(null);
      mine.complete(null);
    }
  }

  private long writeSlice() {
    long startNs = System.nanoTime();
    return writer.write(shape.written(), () -> System.nanoTime() - startNs > SLICE_NS);
  }

  /** The operations that a caller has used of those that are paid for. */
  private static final class Account {

    private long usedCount;
  }

  @Override
  public void empty() {
    close();
    folder = RunFolder.create(load.path("raw"));
    writer = open();
  }

  @Override
  public void close() {
    writer.close();
    folder.close();
  }
}
