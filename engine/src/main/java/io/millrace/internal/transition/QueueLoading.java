package io.millrace.internal.transition;

import io.millrace.api.CorruptDataException;
import io.millrace.api.QueueName;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.QueueKeys;
import io.millrace.internal.format.QueueNameKeys;
import io.millrace.internal.format.QueueNameRecord;
import io.millrace.internal.format.QueueRecord;
import io.millrace.internal.state.QueueState;
import org.jspecify.annotations.Nullable;

/**
 * How a queue comes into memory: its settings and counts are read, and its delayed jobs that are
 * due are moved.
 */
final class QueueLoading {

  private QueueLoading() {}

  static void load(Change change, QueueState queue) {
    QueueRecord record = settings(change, queue.name());
    if (record == null) {
      queue.load(null, null);
      return;
    }
    CountersRecord counters = counters(change, record.number());
    if (counters == null) {
      queue.load(record, Recount.count(change, record.number()));
      change.state().watch(queue);
      change.state().markChanged(queue);
    } else {
      queue.load(record, counters);
      change.state().watch(queue);
    }
    DueJobs.move(change, queue, DueJobs.STEP);
  }

  /** The stored settings; null if there is no such queue. Lost ones are the defaults again. */
  private static @Nullable QueueRecord settings(Change change, QueueName name) {
    byte[] key = QueueKeys.key(name);
    byte[] value = change.get(key);
    try {
      return value == null ? null : QueueRecord.decode(key, value);
    } catch (CorruptDataException e) {
      QueueRecord defaults =
          QueueRecord.selfMade(number(change, name, e), change.nowMs())
              .withOrigin(QueueRecord.Origin.CONFIGURED);
      Quarantine.setAside(change, key, value, e.getMessage());
      change.put(key, defaults.encode(key));
      return defaults;
    }
  }

  /** The number of a queue whose own row is lost, from the row that names it. */
  private static int number(Change change, QueueName name, CorruptDataException lost) {
    int[] number = {-1};
    change.scan(
        Keyspace.QUEUE_NAME.start(),
        Keyspace.QUEUE_NAME.end(),
        (key, value) -> {
          if (isNamed(name, key, value)) {
            number[0] = QueueNameKeys.queue(key);
          }
          return number[0] < 0;
        });
    if (number[0] < 0) {
      throw lost;
    }
    return number[0];
  }

  private static boolean isNamed(QueueName name, byte[] key, byte[] value) {
    try {
      return QueueNameRecord.decode(key, value).name().equals(name);
    } catch (CorruptDataException e) {
      return false;
    }
  }

  /** The stored counts; null if they are lost. */
  private static @Nullable CountersRecord counters(Change change, int queue) {
    byte[] key = CounterKeys.key(queue);
    byte[] value = change.get(key);
    try {
      return value == null ? null : CountersRecord.decode(key, value);
    } catch (CorruptDataException e) {
      Quarantine.setAside(change, key, value, e.getMessage());
      return null;
    }
  }
}
