package io.millrace.internal.state;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is known of users' tables without a look into the store: incarnations of some of them, and
 * those that were dropped and have rows left. Belongs to the loop's thread.
 */
public final class TableNames {

  /** The incarnation of a table that is not known. */
  public static final long UNKNOWN = 0;

  /** More are forgotten, all at once: whoever asks for them then reads them again. */
  private static final int KNOWN_COUNT_MAX = 10_000;

  private final UndoLog undoLog;
  private final Map<String, Long> known = new HashMap<>();
  private final Set<Dropped> dropped = new LinkedHashSet<>();

  TableNames(UndoLog undoLog) {
    this.undoLog = undoLog;
  }

  /** A table that was dropped, and whose rows are being removed. */
  public record Dropped(String table, long incarnation) {}

  /** The incarnation of the table, or {@link #UNKNOWN}: then the store may know it. */
  public long incarnation(String table) {
    Long incarnation = known.get(table);
    return incarnation == null ? UNKNOWN : incarnation;
  }

  /** The table was read, or comes to be with the batch. */
  public void know(String table, long incarnation) {
    if (known.size() >= KNOWN_COUNT_MAX) {
      known.clear();
    }
    known.put(table, incarnation);
  }

  /** The table is no more, or what is known of it is not what is stored. */
  public void forget(String table) {
    known.remove(table);
  }

  /** What is known is no longer what is stored. What was dropped stays so. */
  void forgetStored() {
    known.clear();
  }

  /** A new epoch begins: all is read again. */
  void begin() {
    known.clear();
    dropped.clear();
  }

  /** The table was dropped, and its rows are to be removed. */
  public void markDropped(Dropped table) {
    if (dropped.add(table)) {
      undoLog.add(() -> dropped.remove(table));
    }
  }

  /** Nothing is stored of it any more. */
  public void unmarkDropped(Dropped table) {
    if (dropped.remove(table)) {
      undoLog.add(() -> dropped.add(table));
    }
  }

  public boolean isDropped(@Nullable Dropped table) {
    return !dropped.isEmpty() && dropped.contains(table);
  }

  /** One whose rows are to be removed, or null. */
  public @Nullable Dropped anyDropped() {
    return dropped.isEmpty() ? null : dropped.iterator().next();
  }
}
