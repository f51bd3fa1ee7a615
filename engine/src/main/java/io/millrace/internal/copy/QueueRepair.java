package io.millrace.internal.copy;

import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.NameSettings;
import io.millrace.internal.format.QueueKeys;
import io.millrace.internal.format.QueueNameKeys;
import io.millrace.internal.format.QueueNameRecord;
import io.millrace.internal.format.QueuePresence;
import io.millrace.internal.format.QueueRecord;
import io.millrace.internal.format.RowCheck;
import org.jspecify.annotations.Nullable;

/**
 * The repair of queues and their numbers: each number leads to one name and back. Jobs of a number
 * that nothing names any more go on in a queue that is named after it.
 */
final class QueueRepair {

  private static final String RECOVERED = "recovered-";

  private final RepairStores stores;
  private int numberMax;
  private long count;
  private int lastNumber = -1;
  private QueuePresence lastPresence = QueuePresence.UNKNOWN;

  QueueRepair(RepairStores stores) {
    this.stores = stores;
  }

  void run() {
    stores.eachOfSource(Keyspace.QUEUE, this::repairQueue);
    stores.eachOfSource(Keyspace.QUEUE_NAME, this::repairName);
  }

  /** Returns the highest number that was ever seen in use. */
  int numberMax() {
    return numberMax;
  }

  /** Returns the number of queues in the new store. */
  long count() {
    return count;
  }

  /** Returns whether the new store has the queue, as its name row there says. */
  QueuePresence presence(int number) {
    if (number < 0) {
      return QueuePresence.UNKNOWN;
    }
    if (number != lastNumber || lastPresence == QueuePresence.UNKNOWN) {
      lastNumber = number;
      lastPresence = QueuePresence.of(stores.target()::get, number);
    }
    return lastPresence;
  }

  /**
   * Returns the row with the queue's own settings in the new store; one with the defaults if there
   * is none.
   */
  QueueRecord settings(int number) {
    byte[] nameKey = QueueNameKeys.key(number);
    byte[] name = stores.target().get(nameKey);
    byte[] key = name == null ? null : QueueKeys.key(QueueNameRecord.decode(nameKey, name).name());
    byte[] value = key == null ? null : stores.target().get(key);
    return key == null || value == null
        ? QueueRecord.selfMade(number, stores.nowMs())
        : QueueRecord.decode(key, value);
  }

  /** Returns how many jobs of one concurrency key of the queue may be ready or leased at a time. */
  int perKey(int number) {
    QueueSettings own = settings(number).settings();
    byte[] nameKey = QueueNameKeys.key(number);
    byte[] name = stores.target().get(nameKey);
    byte[] key =
        name == null ? null : NameSettings.key(QueueNameRecord.decode(nameKey, name).name().name());
    byte[] ofName = key == null ? null : stores.target().get(key);
    return key == null || ofName == null
        ? own.perKey()
        : own.over(NameSettings.decode(key, ofName)).perKey();
  }

  /** Gives a name to the queue of a job that is there, if nothing names the queue. */
  void recover(int number) {
    if (presence(number) != QueuePresence.UNKNOWN) {
      return;
    }
    QueueName name = QueueName.of(RECOVERED + number);
    for (int i = 2; stores.target().has(QueueKeys.key(name)); i++) {
      name = QueueName.of(RECOVERED + number + "-" + i);
    }
    stores
        .log()
        .recovered(
            QueueNameKeys.key(number),
            "nothing names the queue of jobs that are there: number="
                + number
                + ", named now="
                + name);
    create(name, defaults(number));
  }

  private void repairQueue(byte[] key, byte[] value) {
    String flaw = RowCheck.flaw(key, value);
    if (flaw != null) {
      stores.log().setAside(key, value, flaw);
      return;
    }
    QueueName name = QueueKeys.name(key);
    QueueRecord queue = QueueRecord.decode(key, value);
    numberMax = Math.max(numberMax, queue.number());
    if (isOfAnother(queue.number(), name)
        || stores.target().has(QueueNameKeys.key(queue.number()))) {
      stores.log().setAside(key, value, "queue's number is another's: number=" + queue.number());
      return;
    }
    if (sourceName(queue.number()) == null) {
      stores.log().rebuilt(QueueNameKeys.key(queue.number()), "no row named the queue's number");
    }
    create(name, queue);
  }

  /**
   * Tells whether the number is not this queue's: its name row says that it was dropped, or names
   * another queue whose own row has the number, too.
   */
  private boolean isOfAnother(int number, QueueName name) {
    QueueNameRecord named = sourceName(number);
    if (named == null) {
      return false;
    }
    if (named.state() == QueueNameRecord.State.DROPPED) {
      return true;
    }
    byte[] otherKey = QueueKeys.key(named.name());
    byte[] other = named.name().equals(name) ? null : stores.source().get(otherKey);
    return other != null
        && RowCheck.flaw(otherKey, other) == null
        && QueueRecord.decode(otherKey, other).number() == number;
  }

  private @Nullable QueueNameRecord sourceName(int number) {
    byte[] key = QueueNameKeys.key(number);
    byte[] value = stores.source().get(key);
    return value == null || RowCheck.flaw(key, value) != null
        ? null
        : QueueNameRecord.decode(key, value);
  }

  private void repairName(byte[] key, byte[] value) {
    String flaw = RowCheck.flaw(key, value);
    if (flaw != null) {
      stores.log().setAside(key, value, flaw);
      return;
    }
    int number = QueueNameKeys.queue(key);
    numberMax = Math.max(numberMax, number);
    QueueNameRecord named = QueueNameRecord.decode(key, value);
    byte[] kept = stores.target().get(key);
    if (kept != null) {
      if (!QueueNameRecord.decode(key, kept).equals(named)) {
        stores.log().rebuilt(key, "number is another queue's: named=" + named.name());
      }
    } else if (named.state() == QueueNameRecord.State.DROPPED) {
      stores.target().put(key, value);
    } else if (stores.target().has(QueueKeys.key(named.name()))) {
      stores.log().dropped(key, "queue has another number: name=" + named.name());
    } else {
      stores
          .log()
          .rebuilt(
              QueueKeys.key(named.name()),
              "queue's own row is missing or damaged; its settings are the defaults again");
      create(named.name(), defaults(number));
    }
  }

  private QueueRecord defaults(int number) {
    return QueueRecord.selfMade(number, stores.nowMs()).withOrigin(QueueRecord.Origin.CONFIGURED);
  }

  private void create(QueueName name, QueueRecord queue) {
    byte[] key = QueueKeys.key(name);
    byte[] nameKey = QueueNameKeys.key(queue.number());
    stores.target().put(key, queue.encode(key));
    stores
        .target()
        .put(nameKey, new QueueNameRecord(name, QueueNameRecord.State.LIVE).encode(nameKey));
    numberMax = Math.max(numberMax, queue.number());
    count++;
    lastNumber = -1;
  }
}
