package io.millrace.internal.transition;

import io.millrace.api.CorruptDataException;
import io.millrace.api.QueueName;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.MetaKeys;
import io.millrace.internal.format.MetaRecords;
import io.millrace.internal.format.QueueKeys;
import io.millrace.internal.format.QueueNameKeys;
import io.millrace.internal.format.QueueNameRecord;
import io.millrace.internal.format.QueueRecord;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The queues that a change is about, read into memory when they are not there. */
final class Queues {

  private Queues() {}

  /** The queue's state, read from the store if it is not in memory; it may not exist. */
  static QueueState named(Change change, QueueName name) {
    QueueState queue = change.state().queue(name, change.sources().nowNs());
    if (!queue.isLoaded()) {
      QueueLoading.load(change, queue);
    }
    return queue;
  }

  /**
   * The queue of this number, read from the store if it is not in memory; null if there is none, or
   * none any more.
   */
  static @Nullable QueueState numbered(Change change, int number) {
    long nowNs = change.sources().nowNs();
    QueueState known = change.state().queue(number);
    if (known != null) {
      return known.usedAtNs() == nowNs ? known : change.state().queue(known.name(), nowNs);
    }
    QueueName name = QueueLoading.name(change, number);
    QueueState queue = name == null ? null : named(change, name);
    return queue != null && queue.exists() && queue.number() == number ? queue : null;
  }

  /**
   * The queue of a lease, which exists as long as the lease does.
   *
   * @throws CorruptDataException its rows are lost
   */
  static QueueState of(Change change, LeaseEntry lease) {
    QueueState queue = numbered(change, lease.queue());
    if (queue == null) {
      throw new CorruptDataException(
          "stored row is missing: keyspace=QUEUE_NAME, key="
              + Bytes.hex(QueueNameKeys.key(lease.queue())));
    }
    return queue;
  }

  /** Lets a queue come to be if it does not exist yet. */
  static void createIfAbsent(Change change, QueueState queue) {
    if (queue.exists()) {
      return;
    }
    WorkingSet state = change.state();
    int number = state.takeQueueNumber();
    change.onUndo(() -> state.setNextQueueNumber(number));
    state.setRecord(queue, QueueRecord.selfMade(number, change.nowMs()));
    change.put(
        MetaKeys.QUEUE_NUMBERS, new MetaRecords.QueueNumbers(state.nextQueueNumber()).encode());
    putRows(change, queue);
  }

  /**
   * A corrupt row of a queue as a whole is set aside and written anew: from memory if the queue is
   * there, else by reading the queue. Answers whether it could be.
   */
  static boolean restore(Change change, byte[] key, byte[] value, String reason) {
    QueueState queue =
        Keyspace.ofKey(key) == Keyspace.QUEUE
            ? named(change, QueueKeys.name(key))
            : numbered(change, Keyspace.queue(key));
    if (queue == null || !queue.exists()) {
      return false;
    }
    if (Arrays.equals(change.get(key), value)) {
      SetAside.row(change, key, value, reason);
      putRows(change, queue);
    }
    return true;
  }

  private static void putRows(Change change, QueueState queue) {
    byte[] key = QueueKeys.key(queue.name());
    change.put(key, queue.record().encode(key));
    byte[] nameKey = QueueNameKeys.key(queue.number());
    change.put(
        nameKey, new QueueNameRecord(queue.name(), QueueNameRecord.State.LIVE).encode(nameKey));
    change.state().markChanged(queue);
  }
}
