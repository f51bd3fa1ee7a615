package io.millrace.memtable;

import io.millrace.spi.WriteBatch;
import io.millrace.spi.WriteBatch.Reserve;
import java.util.ArrayList;
import java.util.List;

/**
 * The batches that are not known to be in the store beneath: each layer follows the one before it.
 * Immutable.
 *
 * @param sealed the layers that take no more batches, oldest first: at most one, but for what a log
 *     held at the opening
 * @param active the layer that takes batches
 */
record Layers(List<Layer> sealed, Layer active) {

  static Layers after(long number) {
    return new Layers(List.of(), Layer.after(number));
  }

  boolean hasSealed() {
    return !sealed.isEmpty();
  }

  /** Tells whether the store beneath has everything. */
  boolean isEmpty() {
    return sealed.isEmpty() && active.isEmpty();
  }

  /** Returns the number of the newest batch. */
  long number() {
    return active.number();
  }

  /** Returns the number of the batch before all of these, which the store beneath has reached. */
  long folded() {
    return oldest().previous();
  }

  Layer oldest() {
    return sealed.isEmpty() ? active : sealed.get(0);
  }

  /** Returns the length of all keys and values, in bytes. */
  long bytes() {
    long bytes = active.operations().bytes();
    for (Layer layer : sealed) {
      bytes += layer.operations().bytes();
    }
    return bytes;
  }

  Layers with(WriteBatch batch) {
    return new Layers(sealed, active.with(batch));
  }

  /** Returns the layers with the active one sealed and an empty one behind it. */
  Layers seal() {
    List<Layer> layers = new ArrayList<>(sealed);
    layers.add(active);
    return new Layers(List.copyOf(layers), Layer.after(active.number()));
  }

  Layers withoutOldest() {
    return new Layers(sealed.subList(1, sealed.size()), active);
  }

  /**
   * Returns the layers with the oldest sealed, after it has taken over as many of those behind it
   * as fit into one batch. At least one layer must have a batch.
   */
  Layers merge(LayerLimits limits) {
    List<Layer> rest = new ArrayList<>(sealed);
    rest.add(active);
    Layer sum = rest.remove(0);
    while (!rest.isEmpty()) {
      Layer later = rest.get(0);
      // What it comes to is less than both if they have keys in common.
      Layer both = later.isEmpty() ? sum : sum.with(later.sum(Reserve.KEEP));
      if (!limits.fit(both.operations())) {
        break;
      }
      rest.remove(0);
      sum = both;
    }
    Layer last = rest.isEmpty() ? Layer.after(sum.number()) : rest.remove(rest.size() - 1);
    rest.add(0, sum);
    return new Layers(List.copyOf(rest), last);
  }
}
