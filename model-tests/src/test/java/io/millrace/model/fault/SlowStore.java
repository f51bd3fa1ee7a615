package io.millrace.model.fault;

import io.millrace.internal.format.BlobKeys;
import io.millrace.internal.format.BlobRecord;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.Payload;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.testkit.ForwardingStore;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A store whose flushes take long, and which knows of each job of a {@link Ledger} in which commit
 * it came, was ready and went: whoever is told of that must find the commit synced.
 *
 * <p>The writer writes; any thread asks.
 */
final class SlowStore extends ForwardingStore implements Ledger.Witness {

  private static final Set<Keyspace> IN_LINE = EnumSet.of(Keyspace.READY, Keyspace.DELAYED);

  private final Random random;
  private final long slowMsMax;
  private final AtomicLong slowCount = new AtomicLong();
  private final Map<String, Long> cameIn = new ConcurrentHashMap<>();
  private final Map<String, Long> readySince = new ConcurrentHashMap<>();
  private final Map<String, Long> wentIn = new ConcurrentHashMap<>();
  private final Map<ByteBuffer, String> names = new HashMap<>();
  private final Map<Long, String> large = new HashMap<>();

  SlowStore(OrderedStore store, Random random, long slowMsMax) {
    super(store);
    this.random = random;
    this.slowMsMax = slowMsMax;
  }

  /** How many flushes were slow. */
  long slowCount() {
    return slowCount.get();
  }

  @Override
  public boolean isKept(String name) {
    return isSynced(cameIn.get(name));
  }

  @Override
  public boolean isReady(String name) {
    return isSynced(readySince.get(name));
  }

  @Override
  public boolean isGone(String name) {
    return isSynced(wentIn.get(name));
  }

  private boolean isSynced(@Nullable Long commit) {
    return commit != null && commit <= store.syncedCommit();
  }

  @Override
  public void write(WriteBatch batch) {
    note(batch);
    if (store.info().syncing() == StoreInfo.Syncing.WRITE_SYNCS_PREVIOUS) {
      beSlow();
    }
    store.write(batch);
  }

  @Override
  public void sync() {
    beSlow();
    store.sync();
  }

  private void beSlow() {
    long slowNs = random.nextLong(slowMsMax * 100_000, slowMsMax * 1_000_000);
    long endNs = System.nanoTime() + slowNs;
    for (long leftNs = slowNs; leftNs > 0; leftNs = endNs - System.nanoTime()) {
      LockSupport.parkNanos(leftNs);
    }
    slowCount.incrementAndGet();
  }

  /** Before the write: whoever is answered has been noted. */
  private void note(WriteBatch batch) {
    for (int i = 0; i < batch.size(); i++) {
      byte[] value = batch.value(i);
      if (value != null && Keyspace.ofKey(batch.key(i)) == Keyspace.BLOB) {
        byte[] payload = BlobRecord.decode(batch.key(i), value).payload();
        large.put(BlobKeys.birth(batch.key(i)), Ledger.nameOf(payload));
      }
    }
    Set<String> there = new HashSet<>();
    for (int i = 0; i < batch.size(); i++) {
      byte[] value = batch.value(i);
      if (value != null && IN_LINE.contains(Keyspace.ofKey(batch.key(i)))) {
        String name = nameOf(JobRecord.decode(batch.key(i), value));
        there.add(name);
        names.put(ByteBuffer.wrap(batch.key(i)), name);
        cameIn.putIfAbsent(name, batch.number());
        if (Keyspace.ofKey(batch.key(i)) == Keyspace.READY) {
          readySince.put(name, batch.number());
        }
      }
    }
    for (int i = 0; i < batch.size(); i++) {
      String name = batch.value(i) == null ? names.get(ByteBuffer.wrap(batch.key(i))) : null;
      if (name != null && !there.contains(name)) {
        wentIn.put(name, batch.number());
      }
    }
  }

  private String nameOf(JobRecord job) {
    if (job.payload() instanceof Payload.Inline inline) {
      return Ledger.nameOf(inline.payload());
    }
    return Objects.requireNonNull(large.get(job.birth()));
  }
}
