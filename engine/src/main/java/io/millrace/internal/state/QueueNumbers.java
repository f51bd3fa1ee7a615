package io.millrace.internal.state;

import io.millrace.api.QueueName;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of new queues. A number may be reserved before its queue exists, for whoever writes
 * it into the id of a job to come. Then no other queue gets the number, and a queue of that name
 * gets no other, until the store is opened again.
 */
public final class QueueNumbers {

  /** The most names that keep their reserved numbers; beyond that all of them get other numbers. */
  static final int RESERVED_COUNT_MAX = 10_000;

  private final UndoLog undoLog;
  private final Map<QueueName, Integer> reserved = new HashMap<>();
  private int next = 1;

  /** The number below which none is taken back, for it may have been told. */
  private int reservedEnd;

  QueueNumbers(UndoLog undoLog) {
    this.undoLog = undoLog;
  }

  /** Begins with this number, which is the next, since the store was opened. */
  void begin(int number) {
    reserved.clear();
    reservedEnd = 0;
    next = number;
  }

  /** Takes the number of a queue that is created with the batch under way. */
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

  /**
   * Reserves the number that a queue of this name will have, if it is created before the next
   * opening.
   */
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

  /** Returns the number that was reserved for a queue of this name, or null. */
  public @Nullable Integer reserved(QueueName name) {
    return reserved.get(name);
  }

  /**
   * Returns the number that is taken or reserved next: no queue has it yet, nor has it been told.
   */
  public int next() {
    return next;
  }
}
