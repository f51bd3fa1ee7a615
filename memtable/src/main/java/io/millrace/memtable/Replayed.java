package io.millrace.memtable;

import io.millrace.spi.StoreInfo;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.WriteBatch.Reserve;
import java.util.List;

/**
 * The batches of a log that the store beneath does not have yet, gathered before both are opened as
 * one store. Not thread-safe.
 */
public final class Replayed {

  private final long lastCommit;
  private final LayerLimits limits;
  private Layers layers;
  private long number;

  /**
   * Creates an empty collection.
   *
   * @param lastCommit number of the newest batch in the store beneath
   * @param info what the store beneath tells of itself
   */
  public Replayed(long lastCommit, StoreInfo info, MemtableOptions options) {
    this.lastCommit = lastCommit;
    this.limits = options.limits(info);
    this.layers = Layers.after(lastCommit);
    this.number = lastCommit;
  }

  /**
   * Adds the next batch of the log, unless the store beneath has it. Keeps the batch's keys and
   * values, not the batch.
   *
   * @throws IllegalArgumentException the batch does not follow the one before it
   */
  public void add(WriteBatch batch) {
    if (batch.number() <= lastCommit) {
      return;
    }
    if (batch.previous() != number) {
      throw new IllegalArgumentException(
          "replayed batch is out of order: number="
              + batch.number()
              + ", previous="
              + batch.previous()
              + ", expected="
              + number);
    }
    if (!layers.active().isEmpty() && !limits.fit(layers.active().operations(), batch)) {
      layers = layers.seal();
    }
    layers = layers.with(batch);
    number = batch.number();
  }

  /** Returns the number of the newest batch in the store beneath and the log. */
  public long number() {
    return number;
  }

  /** Returns the length of all keys and values gathered, in bytes. */
  public long bytes() {
    return layers.bytes();
  }

  /** Returns what was gathered as batches for the store beneath, each a sum, in their order. */
  public List<WriteBatch> sums(Reserve reserve) {
    return layers().sealed().stream().map(layer -> layer.sum(reserve)).toList();
  }

  /** Returns what was gathered, as sealed layers. */
  Layers layers() {
    return layers.active().isEmpty() ? layers : layers.seal();
  }
}
