package io.millrace.internal.transition.queue;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.NameSettings;
import io.millrace.internal.format.QueueKeys;
import io.millrace.internal.format.QueueNameKeys;
import io.millrace.internal.format.QueueNameRecord;
import io.millrace.internal.format.QueueRecord;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.SharedSettings;
import io.millrace.internal.state.TenantRing;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.move.SetAside;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The loading of a queue into memory: its settings and counts are read. When a request asks for the
 * queue, those of its delayed jobs that are due join their lines first. Recovery and due work do
 * not wait for that: the mover will see to it.
 */
final class QueueLoading {

  private QueueLoading() {}

  /** Wants the rows of a queue that is not in memory, known by its name. */
  static void declare(WorkingSet state, RowReads reads, QueueName name) {
    SharedSettings shared = state.sharedSettings(name.name());
    if (shared == null || shared.settings() == null) {
      reads.wantByKey(NameSettings.key(name.name()));
    }
    byte[] key = QueueKeys.key(name);
    reads.wantByKey(
        key,
        value -> {
          if (value != null) {
            reads.wantByKey(CounterKeys.key(QueueRecord.decode(key, value).number()));
          }
        });
  }

  /** Wants the rows of a queue that is not in memory, known by its number. */
  static void declare(WorkingSet state, RowReads reads, int number) {
    reads.wantByKey(CounterKeys.key(number));
    byte[] key = QueueNameKeys.key(number);
    reads.wantByKey(
        key,
        value -> {
          QueueNameRecord named = value == null ? null : QueueNameRecord.decode(key, value);
          if (named != null && named.state() == QueueNameRecord.State.LIVE) {
            declare(state, reads, named.name());
          }
        });
  }

  static void load(OpenBatch batch, QueueState queue) {
    batch.aside(() -> read(batch, queue));
    TenantRing tenants = queue.shared().tenants();
    if (tenants != null && queue.count(JobState.READY) > 0) {
      tenants.keep(queue.name());
    }
    if (queue.isHandOnDue()) {
      batch.state().slots().noteRaised(queue.name());
    }
    if (batch.isOfRequest() && queue.exists()) {
      DueJobs.move(batch, queue, DueJobs.STEP);
    }
  }

  private static void read(OpenBatch batch, QueueState queue) {
    SharedSettings shared = queue.shared();
    if (shared.settings() == null) {
      shared.setSettings(ofName(batch, queue.name().name()));
    }
    QueueRecord record = settings(batch, queue.name());
    if (record == null) {
      queue.load(null, null);
      return;
    }
    CountersRecord counters = counters(batch, record.number());
    if (counters == null) {
      queue.load(record, LostCounters.recount(batch, record.number()));
      batch.state().watch(queue);
      batch.state().markChanged(queue);
    } else {
      queue.load(record, counters);
      batch.state().watch(queue);
    }
  }

  /**
   * Returns the settings of all queues of the name; the defaults if they are lost, or none were
   * set.
   */
  static QueueSettings ofName(OpenBatch batch, String name) {
    byte[] key = NameSettings.key(name);
    byte[] value = batch.get(key);
    try {
      return value == null ? QueueSettings.DEFAULT : NameSettings.decode(key, value);
    } catch (CorruptDataException e) {
      SetAside.row(batch, key, value, e.getMessage());
      return QueueSettings.DEFAULT;
    }
  }

  /**
   * Returns the stored settings; null if there is no such queue. Lost ones are the defaults again.
   */
  private static @Nullable QueueRecord settings(OpenBatch batch, QueueName name) {
    byte[] key = QueueKeys.key(name);
    byte[] value = batch.get(key);
    try {
      return value == null ? null : QueueRecord.decode(key, value);
    } catch (CorruptDataException e) {
      QueueRecord defaults =
          QueueRecord.selfMade(number(batch, name, e), batch.nowMs())
              .withOrigin(QueueRecord.Origin.CONFIGURED);
      SetAside.row(batch, key, value, e.getMessage());
      batch.put(key, defaults.encode(key));
      return defaults;
    }
  }

  /**
   * Returns the name of the queue of this number; null if there is none. Two rows tie name and
   * number together: one that is lost is written anew from the other. The counters tell whether
   * there was a queue at all, or every id of a queue long gone would cost a look at all queues.
   */
  static @Nullable QueueName name(OpenBatch batch, int number) {
    byte[] key = QueueNameKeys.key(number);
    byte[] value = batch.get(key);
    QueueNameRecord named;
    try {
      named = value == null ? null : QueueNameRecord.decode(key, value);
    } catch (CorruptDataException e) {
      SetAside.row(batch, key, value, e.getMessage());
      named = null;
    }
    if (named != null && named.state() != QueueNameRecord.State.LIVE) {
      return null;
    }
    if (named != null) {
      restoreSettings(batch, named.name(), number);
      return named.name();
    }
    boolean isLongGone = value == null && batch.get(CounterKeys.key(number)) == null;
    QueueName found = isLongGone ? null : nameOf(batch, number);
    if (found != null) {
      batch.put(key, new QueueNameRecord(found, QueueNameRecord.State.LIVE).encode(key));
    }
    return found;
  }

  /** Restores the settings of a queue to the defaults if their row is gone. */
  private static void restoreSettings(OpenBatch batch, QueueName name, int number) {
    byte[] key = QueueKeys.key(name);
    if (batch.get(key) == null) {
      QueueRecord defaults =
          QueueRecord.selfMade(number, batch.nowMs()).withOrigin(QueueRecord.Origin.CONFIGURED);
      batch.put(key, defaults.encode(key));
      batch.state().forgetQueue(name);
    }
  }

  /** Returns the name of a queue from its own row, when the row that should tell it is lost. */
  private static @Nullable QueueName nameOf(OpenBatch batch, int number) {
    AtomicReference<@Nullable QueueName> found = new AtomicReference<>();
    batch.scan(
        Keyspace.QUEUE.start(),
        Keyspace.QUEUE.end(),
        (key, value) -> {
          if (isNumbered(number, key, value)) {
            found.set(QueueKeys.name(key));
          }
          return found.get() == null;
        });
    return found.get();
  }

  private static boolean isNumbered(int number, byte[] key, byte[] value) {
    try {
      return QueueRecord.decode(key, value).number() == number;
    } catch (CorruptDataException e) {
      return false;
    }
  }

  /** Returns the number of a queue whose own row is lost, from the row that names the queue. */
  private static int number(OpenBatch batch, QueueName name, CorruptDataException lost) {
    int[] number = {-1};
    batch.scan(
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
      QueueNameRecord known = QueueNameRecord.decode(key, value);
      return known.state() == QueueNameRecord.State.LIVE && known.name().equals(name);
    } catch (CorruptDataException e) {
      return false;
    }
  }

  /** Returns the stored counts; null if they are lost. */
  private static @Nullable CountersRecord counters(OpenBatch batch, int queue) {
    byte[] key = CounterKeys.key(queue);
    byte[] value = batch.get(key);
    try {
      return value == null ? null : CountersRecord.decode(key, value);
    } catch (CorruptDataException e) {
      SetAside.row(batch, key, value, e.getMessage());
      return null;
    }
  }
}
