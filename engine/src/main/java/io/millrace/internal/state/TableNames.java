package io.millrace.internal.state;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The facts on users' tables that are known without a look into the store: incarnations of some of
 * them, and which were dropped and have rows left. Belongs to the loop's thread.
 */
public final class TableNames {

  /** The incarnation of a table that is not known. */
  public static final long UNKNOWN = 0;

  /**
   * The most tables that are known. Beyond that all are forgotten at once, and are read again by
   * whoever asks for them.
   */
  private static final int KNOWN_COUNT_MAX = 10_000;

  private final UndoLog undoLog;
  private final Map<String, Long> known = new HashMap<>();
  private final Set<Dropped> dropped = new LinkedHashSet<>();

  TableNames(UndoLog undoLog) {
    this.undoLog = undoLog;
  }

  /** A table that was dropped, and whose rows are being removed. */
  public record Dropped(String table, long incarnation) {}

  /** Returns the incarnation of the table, or {@link #UNKNOWN}: then the store may know it. */
  public long incarnation(String table) {
    Long incarnation = known.get(table);
    return incarnation == null ? UNKNOWN : incarnation;
  }

  /** Notes the incarnation of a table that was read, or is created with the batch. */
  public void know(String table, long incarnation) {
    if (known.size() >= KNOWN_COUNT_MAX) {
      known.clear();
    }
    known.put(table, incarnation);
  }

  /** Forgets a table that is gone, or whose known incarnation is not what is stored. */
  public void forget(String table) {
    known.remove(table);
  }

  /**
   * Forgets the incarnations, which may no longer be what is stored. Dropped tables stay dropped.
   */
  void forgetStored() {
    known.clear();
  }

  /** Forgets everything at the beginning of a new epoch: all is read again. */
  void begin() {
    known.clear();
    dropped.clear();
  }

  /** Marks a table as dropped: its rows are to be removed. */
  public void markDropped(Dropped table) {
    if (dropped.add(table)) {
      undoLog.add(() -> dropped.remove(table));
    }
  }

  /** Unmarks a dropped table of which nothing is stored any more. */
  public void unmarkDropped(Dropped table) {
    if (dropped.remove(table)) {
      undoLog.add(() -> dropped.add(table));
    }
  }

  public boolean isDropped(@Nullable Dropped table) {
    return !dropped.isEmpty() && dropped.contains(table);
  }

  /** Returns a dropped table whose rows are to be removed, or null. */
  public @Nullable Dropped anyDropped() {
    return dropped.isEmpty() ? null : dropped.iterator().next();
  }
}
