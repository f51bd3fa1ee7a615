package io.millrace.internal.state;

import io.millrace.api.QueueName;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of the queues that come to be. A number may be told before its queue is there, to
 * whoever writes it into the id of a job to come: then no other queue gets it, and a queue of that
 * name gets no other, until the store is opened again.
 */
public final class QueueNumbers {

  /** So many names keep the numbers that were told; beyond that all are told others. */
  static final int RESERVED_COUNT_MAX = 10_000;

  private final UndoLog undoLog;
  private final Map<QueueName, Integer> reserved = new HashMap<>();
  private int next = 1;

  /** No number below this is taken back, for it may have been told. */
  private int reservedEnd;

  QueueNumbers(UndoLog undoLog) {
    this.undoLog = undoLog;
  }

  /** The store was opened: this number is the next. */
  void begin(int number) {
    reserved.clear();
    reservedEnd = 0;
    next = number;
  }

  /** The number of a queue that comes to be with the batch under way. */
  public int take(QueueName name) {
    Integer own = reserved.remove(name);
    if (own != null) {
      undoLog.add(() -> reserved.put(name, own));
      return own;
    }
    int number = next++;
    undoLog.add(() -> next = Math.max(number, reservedEnd));
    return number;
  }

  /** The number that a queue of this name will have, if it comes to be before the next opening. */
  public int reserve(QueueName name) {
    Integer known = reserved.get(name);
    if (known != null) {
      return known;
    }
    if (reserved.size() == RESERVED_COUNT_MAX) {
      reserved.clear();
    }
    int number = next++;
    reservedEnd = next;
    reserved.put(name, number);
    return number;
  }

  /** The number that was reserved for a queue of this name, or null. */
  public @Nullable Integer reserved(QueueName name) {
    return reserved.get(name);
  }

  /** The number that no queue has had or will have of those that were taken or reserved. */
  public int next() {
    return next;
  }
}
