package io.millrace.memtable;

import io.millrace.memtable.log.BatchLog;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.WriteBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A log in memory: its disk outlives it, and loses on a crash what was not synced. */
final class MemoryLog implements BatchLog {

  /** What a log is asked to do, each before it is done. */
  enum Call {
    APPEND,
    SYNC,
    TURN,
    RELEASE
  }

  /** What stays when the log is closed or the power fails. Thread-safe. */
  static final class Disk {
    private final List<List<WriteBatch>> parts = new ArrayList<>();
    private long lastNumber;
    private long syncedNumber;
    private @Nullable MemoryLog holder;
    private int turnCount;
    long bytesMax = Long.MAX_VALUE;
    Consumer<Call> onCall = call -> {};

    /** A log that goes on after what is there, or after the store's batch if that is later. */
    synchronized MemoryLog open(long lastCommit) {
      lastNumber = Math.max(lastNumber, lastCommit);
      syncedNumber = lastNumber;
      parts.add(new ArrayList<>());
      holder = new MemoryLog(this);
      return holder;
    }

    /** How many parts were begun while it was open. */
    synchronized int turnCount() {
      return turnCount;
    }

    /** All batches that were not released, oldest first. */
    synchronized List<WriteBatch> batches() {
      return parts.stream().flatMap(List::stream).toList();
    }

    /** Keeps what was synced and a prefix of the rest. */
    synchronized void crash(SplittableRandom random) {
      long kept = syncedNumber + random.nextLong(lastNumber - syncedNumber + 1);
      parts.forEach(part -> part.removeIf(batch -> batch.number() > kept));
      lastNumber = kept;
      syncedNumber = kept;
      holder = null;
    }

    private long bytes() {
      return parts.stream().flatMap(List::stream).mapToLong(MemoryLog::lengthOf).sum();
    }
  }

  private final Disk disk;

  private MemoryLog(Disk disk) {
    this.disk = disk;
  }

  @Override
  public long lastNumber() {
    synchronized (disk) {
      return disk.lastNumber;
    }
  }

  @Override
  public long syncedNumber() {
    synchronized (disk) {
      return disk.syncedNumber;
    }
  }

  @Override
  public long partBytes() {
    synchronized (disk) {
      return newest().stream().mapToLong(MemoryLog::lengthOf).sum();
    }
  }

  @Override
  public void append(WriteBatch batch) {
    begin(Call.APPEND);
    synchronized (disk) {
      if (batch.previous() != disk.lastNumber) {
        throw new IllegalArgumentException(
            "out of order: previous=" + batch.previous() + ", last=" + disk.lastNumber);
      }
      if (disk.bytes() + lengthOf(batch) > disk.bytesMax) {
        throw new StoreFullException("the log is full");
      }
      newest().add(copyOf(batch));
      disk.lastNumber = batch.number();
    }
  }

  @Override
  public void sync() {
    begin(Call.SYNC);
    synchronized (disk) {
      disk.syncedNumber = disk.lastNumber;
    }
  }

  @Override
  public void turn() {
    begin(Call.TURN);
    synchronized (disk) {
      disk.syncedNumber = disk.lastNumber;
      disk.parts.add(new ArrayList<>());
      disk.turnCount++;
    }
  }

  @Override
  public void release(long number) {
    begin(Call.RELEASE);
    synchronized (disk) {
      List<WriteBatch> newest = newest();
      disk.parts.removeIf(
          part -> part != newest && part.stream().allMatch(batch -> batch.number() <= number));
    }
  }

  @Override
  public void close() {
    synchronized (disk) {
      if (disk.holder == this) {
        disk.syncedNumber = disk.lastNumber;
        disk.holder = null;
      }
    }
  }

  private void begin(Call call) {
    disk.onCall.accept(call);
    synchronized (disk) {
      if (disk.holder != this) {
        throw new StoreFailedException("the power failed while the log was open");
      }
    }
  }

  private List<WriteBatch> newest() {
    return disk.parts.get(disk.parts.size() - 1);
  }

  private static long lengthOf(WriteBatch batch) {
    return batch.bytes() + 8L * batch.size() + 32;
  }

  private static WriteBatch copyOf(WriteBatch batch) {
    WriteBatch copy = new WriteBatch(batch.number(), batch.reserve());
    copy.follow(batch.previous());
    for (int i = 0; i < batch.size(); i++) {
      byte[] value = batch.value(i);
      if (value == null) {
        copy.delete(batch.key(i));
      } else {
        copy.put(batch.key(i), value);
      }
    }
    return copy;
  }
}
