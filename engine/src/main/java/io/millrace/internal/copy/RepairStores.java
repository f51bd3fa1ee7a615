package io.millrace.internal.copy;

import io.millrace.internal.format.Keyspace;
import java.util.function.BiConsumer;

/**
 * The stores and the log on which every part of a repair works. For one thread.
 *
 * @param source the origin, which is only read
 * @param target the new store
 * @param log is told of each finding
 * @param nowMs the one time of the whole repair, epoch ms: not before the origin's last commit
 */
record RepairStores(SourceRows source, TargetRows target, RepairLog log, long nowMs) {

  /** Hands over the origin's rows of the keyspace. */
  void eachOfSource(Keyspace keyspace, BiConsumer<byte[], byte[]> consumer) {
    source.each(keyspace.start(), keyspace.end(), consumer);
  }

  /** Hands over the new store's rows of the keyspace. */
  void eachOfTarget(Keyspace keyspace, BiConsumer<byte[], byte[]> consumer) {
    target.each(keyspace.start(), keyspace.end(), consumer);
  }
}
