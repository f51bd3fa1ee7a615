package io.millrace.jmh.load;

import io.millrace.internal.format.Keyspace;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;

/**
 * A writer that writes to a bare store what the engine wrote to its own: as many rows of each
 * keyspace in a batch as the engine's batches had on average, keys and values of the same length,
 * as many syncs.
 *
 * <p>Rows of jobs have rising keys and are deleted in the order in which they were put, as a
 * queue's are; rows of queues are put again and again under the same key. Everything else is left
 * out: callers, transitions, reads, answers. One thread does it all, for a store's writer is one
 * thread.
 */
public final class RawWriter implements AutoCloseable {

  private static final int FILL_BATCH = 1_000;
  private static final int RANDOM_BYTES = 1 << 20;

  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(work -> new Thread(work, "bench-raw"));
  private final OrderedStore store;
  private final long[] putSequences = new long[Footprint.KEYSPACE_COUNT];
  private final long[] deleteSequences = new long[Footprint.KEYSPACE_COUNT];
  private final double[] owedPuts = new double[Footprint.KEYSPACE_COUNT];
  private final double[] owedDeletes = new double[Footprint.KEYSPACE_COUNT];
  private final byte[] random = new byte[RANDOM_BYTES];
  private int randomOffset;
  private double owedSyncs;

  public RawWriter(StoreFactory factory, Path folder) {
    new Random(1).nextBytes(random);
    store = factory.open(StoreOptions.of(folder));
  }

  /** Puts rows of waiting jobs that stay there, before anything is measured. */
  void fill(Keyspace keyspace, long rowCount, Footprint shape) {
    int code = keyspace.code();
    Future<?> filled =
        thread.submit(
            () -> {
              for (long done = 0; done < rowCount; done += FILL_BATCH) {
                WriteBatch batch = new WriteBatch(store.lastCommit() + 1);
                for (long i = done; i < Math.min(rowCount, done + FILL_BATCH); i++) {
                  put(batch, code, shape);
                }
                store.write(batch);
              }
              store.sync();
            });
    Waiting.on(filled);
  }

  /**
   * Writes batches until told to stop.
   *
   * @return how many batches were written
   */
  public long write(Footprint shape, BooleanSupplier isOver) {
    return Waiting.on(
        thread.submit(
            () -> {
              long batchCount = 0;
              while (!isOver.getAsBoolean()) {
                writeBatch(shape);
                batchCount++;
              }
              return batchCount;
            }));
  }

  private void writeBatch(Footprint shape) {
    WriteBatch batch = new WriteBatch(store.lastCommit() + 1);
    for (Keyspace keyspace : Keyspace.values()) {
      int code = keyspace.code();
      owedPuts[code] += shape.puts(code);
      if (isOfJobs(keyspace)) {
        owedDeletes[code] += shape.deletes(code);
        for (; owedDeletes[code] >= 1; owedDeletes[code]--) {
          delete(batch, code, shape);
        }
        for (; owedPuts[code] >= 1; owedPuts[code]--) {
          put(batch, code, shape);
        }
      } else {
        for (int i = 0; owedPuts[code] >= 1; i++, owedPuts[code]--) {
          batch.put(key(code, i, shape), value(shape.valueBytes(code)));
        }
      }
    }
    store.write(batch);
    owedSyncs += (double) shape.syncCount() / Math.max(1, shape.batchCount());
    if (owedSyncs >= 1) {
      owedSyncs -= 1;
      store.sync();
    }
  }

  private void put(WriteBatch batch, int code, Footprint shape) {
    batch.put(key(code, putSequences[code]++, shape), value(shape.valueBytes(code)));
  }

  private void delete(WriteBatch batch, int code, Footprint shape) {
    if (deleteSequences[code] < putSequences[code]) {
      batch.delete(key(code, deleteSequences[code]++, shape));
    }
  }

  /** Tells whether a job has a row of the keyspace, or several. */
  private static boolean isOfJobs(Keyspace keyspace) {
    return keyspace.owner() == Keyspace.Owner.JOBS || keyspace == Keyspace.TIMER;
  }

  private static byte[] key(int code, long sequence, Footprint shape) {
    int length = Math.max(1 + Long.BYTES, shape.keyBytes(code));
    byte[] key = new byte[length];
    key[0] = (byte) code;
    ByteBuffer.wrap(key).putLong(length - Long.BYTES, sequence);
    return key;
  }

  private byte[] value(int length) {
    byte[] value = new byte[length];
    for (int offset = 0; offset < length; ) {
      randomOffset = (randomOffset + 61) & 0xFFFF;
      int part = Math.min(length - offset, RANDOM_BYTES - randomOffset);
      System.arraycopy(random, randomOffset, value, offset, part);
      offset += part;
    }
    return value;
  }

  @Override
  public void close() {
    thread.shutdown();
    store.close();
  }
}
