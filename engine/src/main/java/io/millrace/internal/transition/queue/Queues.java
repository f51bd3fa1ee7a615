package io.millrace.internal.transition.queue;

import io.millrace.api.CorruptDataException;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.MetaKeys;
import io.millrace.internal.format.MetaRecords;
import io.millrace.internal.format.NameSettings;
import io.millrace.internal.format.QueueKeys;
import io.millrace.internal.format.QueueNameKeys;
import io.millrace.internal.format.QueueNameRecord;
import io.millrace.internal.format.QueueRecord;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.SharedSettings;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.move.SetAside;
import java.util.Arrays;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** The queues that transitions concern, read into memory when they are not there. */
public final class Queues {

  private Queues() {}

  /** Wants the rows of the queue if it is not in memory. */
  public static void declare(WorkingSet state, RowReads reads, QueueName name) {
    if (state.known(name) == null) {
      QueueLoading.declare(state, reads, name);
    }
  }

  /** Wants the rows of the queue, known by its number, if it is not in memory. */
  public static void declare(WorkingSet state, RowReads reads, int number) {
    if (state.queue(number) == null) {
      QueueLoading.declare(state, reads, number);
    }
  }

  /**
   * Hands over the queue's number, if there is such a queue: now if it is in memory, else when its
   * row is read.
   *
   * @param wants wants the rows under that number, so that they are read with those that others
   *     want
   */
  public static void declare(WorkingSet state, RowReads reads, QueueName name, IntConsumer wants) {
    QueueState known = state.known(name);
    if (known != null && known.isLoaded()) {
      if (known.exists()) {
        wants.accept(known.number());
      }
      return;
    }
    byte[] key = QueueKeys.key(name);
    reads.wantByKey(
        key,
        value -> {
          if (value != null) {
            wants.accept(QueueRecord.decode(key, value).number());
          }
        });
  }

  /**
   * Returns the queue's state, read from the store if it is not in memory; the queue may not exist.
   */
  public static QueueState named(OpenBatch batch, QueueName name) {
    QueueState queue = batch.state().queue(name, batch.context().nowNs());
    if (!queue.isLoaded()) {
      QueueLoading.load(batch, queue);
    }
    return queue;
  }

  /**
   * Returns the queue of this number, read from the store if it is not in memory; null if there is
   * none, or none any more.
   */
  public static @Nullable QueueState numbered(OpenBatch batch, int number) {
    long nowNs = batch.context().nowNs();
    QueueState known = batch.state().queue(number);
    if (known != null) {
      return known.usedAtNs() == nowNs ? known : batch.state().queue(known.name(), nowNs);
    }
    QueueName name = QueueLoading.name(batch, number);
    QueueState queue = name == null ? null : named(batch, name);
    return queue != null && queue.exists() && queue.number() == number ? queue : null;
  }

  /**
   * Returns the queue of a lease, which exists as long as the lease does.
   *
   * @throws CorruptDataException the queue's rows are lost
   */
  public static QueueState of(OpenBatch batch, LeaseEntry lease) {
    QueueState queue = numbered(batch, lease.queue());
    if (queue == null) {
      throw new CorruptDataException(
          "stored row is missing: keyspace=QUEUE_NAME, key="
              + Bytes.hex(QueueNameKeys.key(lease.queue())));
    }
    return queue;
  }

  /** Lets a queue come to be if it does not exist yet. */
  public static void createIfAbsent(OpenBatch batch, QueueState queue) {
    if (queue.exists()) {
      return;
    }
    WorkingSet state = batch.state();
    int number = state.queueNumbers().take(queue.name());
    state.setRecord(queue, QueueRecord.selfMade(number, batch.nowMs()));
    queue.setMayHaveSlots(false);
    batch.put(
        MetaKeys.QUEUE_NUMBERS, new MetaRecords.QueueNumbers(state.queueNumbers().next()).encode());
    putRows(batch, queue);
  }

  /**
   * Sets a corrupt row of a queue as a whole aside and writes it anew: from memory if the queue is
   * there, else by reading the queue. Returns whether that was possible.
   */
  public static boolean restore(OpenBatch batch, byte[] key, byte[] value, String reason) {
    QueueState queue =
        Keyspace.ofKey(key) == Keyspace.QUEUE
            ? named(batch, QueueKeys.name(key))
            : numbered(batch, Keyspace.queue(key));
    if (queue == null || !queue.exists()) {
      return false;
    }
    if (Arrays.equals(batch.get(key), value)) {
      SetAside.row(batch, key, value, reason);
      putRows(batch, queue);
    }
    return true;
  }

  /** Puts the settings of a name anew whose row was set aside, if memory knows them. */
  public static void restoreOfName(OpenBatch batch, byte[] key) {
    SharedSettings shared = batch.state().sharedSettings(NameSettings.queueName(key));
    QueueSettings known = shared == null ? null : shared.settings();
    if (known != null && !known.setHere().isEmpty()) {
      batch.put(key, NameSettings.encode(key, known));
    }
  }

  private static void putRows(OpenBatch batch, QueueState queue) {
    byte[] key = QueueKeys.key(queue.name());
    batch.put(key, queue.record().encode(key));
    byte[] nameKey = QueueNameKeys.key(queue.number());
    batch.put(
        nameKey, new QueueNameRecord(queue.name(), QueueNameRecord.State.LIVE).encode(nameKey));
    batch.state().markChanged(queue);
  }
}
