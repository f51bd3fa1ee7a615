package io.millrace.outbox.jdbc;

import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.TableRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The removal of notes that are as old as they need to be and whose rows are gone, a page at a
 * time. Each pass goes over all notes; when one is done, the next is due after half of the time for
 * which notes are kept. Belongs to the thread of the relay.
 *
 * <p>A row that is not there cannot come to be there by what anybody does through Millrace: it was
 * relayed, so it had been committed, and ids are not used twice.
 */
final class NoteSweep {

  private static final int PAGE = 1_000;
  private static final long PAUSE_LEAST_MS = 1_000;

  private final Notes notes;
  private final OutboxSql sql;
  private final long rememberMs;
  private Optional<String> cursor = Optional.empty();
  private boolean isUnderWay;
  private long nextMs;

  NoteSweep(Notes notes, OutboxSql sql, long rememberMs, long nowMs) {
    this.notes = notes;
    this.sql = sql;
    this.rememberMs = rememberMs;
    nextMs = nowMs;
  }

  /**
   * Looks at one page of notes if it is time to.
   *
   * @param nowMs the time by which notes are dated
   * @param steadyMs the time by which passes are due
   */
  void step(Connection connection, long nowMs, long steadyMs) throws SQLException {
    if (!isUnderWay && steadyMs - nextMs < 0) {
      return;
    }
    isUnderWay = true;
    Page<TableRow<byte[], byte[]>> page = notes.scan(new PageRequest(PAGE, cursor));
    removeGone(connection, old(page.items(), nowMs));
    cursor = page.next();
    if (cursor.isEmpty()) {
      giveUp(steadyMs);
    }
  }

  /** Ends the pass; the next one begins anew. */
  void giveUp(long steadyMs) {
    cursor = Optional.empty();
    isUnderWay = false;
    nextMs = steadyMs + Math.max(PAUSE_LEAST_MS, rememberMs / 2);
  }

  private List<UUID> old(List<TableRow<byte[], byte[]>> rows, long nowMs) {
    List<UUID> old = new ArrayList<>();
    for (TableRow<byte[], byte[]> row : rows) {
      Notes.Note note = notes.note(row);
      if (nowMs - note.relayedMs() >= rememberMs) {
        old.add(note.row());
      }
    }
    return old;
  }

  private void removeGone(Connection connection, List<UUID> old) throws SQLException {
    if (old.isEmpty()) {
      return;
    }
    Set<String> existing = sql.existing(connection, old.stream().map(UUID::toString).toList());
    List<UUID> gone = old.stream().filter(id -> !existing.contains(id.toString())).toList();
    if (!gone.isEmpty()) {
      notes.remove(gone);
    }
  }
}
