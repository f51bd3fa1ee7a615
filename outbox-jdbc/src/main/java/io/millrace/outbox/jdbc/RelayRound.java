package io.millrace.outbox.jdbc;

import io.millrace.api.CodecException;
import io.millrace.api.CorruptDataException;
import io.millrace.api.JobQueues;
import io.millrace.outbox.jdbc.OutboxRow.Readable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A look at the table, and what follows it. Belongs to the thread of the relay.
 *
 * <pre>
 *  1  how often notes were removed   engine     so that what is read next is not taken for newer
 *  2  the first rows that are there  database   no locks, no transaction that stays open
 *  3  jobs and notes of the rows     engine     one commit, synced: from here on they are relayed
 *  4  the rows are deleted           database   only now, and only if 3 is known to have happened
 *  5  notes without rows go          engine     much later
 * </pre>
 *
 * <p>Whoever dies or gives up after any of these leaves rows that the next one finds: those before
 * 3 have no note and are enqueued, those after 3 have one and are only deleted.
 */
final class RelayRound {

  /** The time for which the owner of the outbox is taken for granted. */
  private static final long OWNER_MS = 10_000;

  private final Parts parts;
  private final RelayOptions options;
  private final BooleanSupplier isClosed;
  private @Nullable UUID engine;
  private @Nullable NoteSweep sweep;
  private long ownerUntilMs;
  private boolean isOwner;

  /**
   * The parts of an outbox and an engine that a relay works with.
   *
   * @param queues the queues, as durable as can be
   * @param steadyMs a clock that nobody sets, in milliseconds
   */
  record Parts(
      JobQueues queues,
      Notes notes,
      OutboxSql sql,
      Ownership ownership,
      Connections connections,
      RelayTally tally,
      LongSupplier steadyMs) {}

  RelayRound(Parts parts, RelayOptions options, BooleanSupplier isClosed) {
    this.parts = parts;
    this.options = options;
    this.isClosed = isClosed;
  }

  /**
   * Relays what is there, as much as goes into one batch. Returns whether there may be more.
   *
   * @throws SQLException the database fails
   * @throws io.millrace.MillraceException the engine does not take it
   * @throws Ownership.ForeignOutboxException the outbox is relayed into another engine
   */
  boolean run() throws SQLException {
    try {
      return parts.connections.with(this::relay);
    } catch (SQLException | RuntimeException e) {
      isOwner = false; // it may be another database now
      throw e;
    }
  }

  private boolean relay(Connection connection) throws SQLException {
    checkOwner(connection);
    long generation = parts.notes.generation();
    List<String> ids = new ArrayList<>();
    boolean hasMore = choose(connection, ids);
    Map<String, String> unreadable = new LinkedHashMap<>();
    List<Readable> rows = read(parts.sql.rows(connection, ids), unreadable);
    Relaying relaying = new Relaying(parts.queues, parts.notes, generation, isClosed);
    relaying.failed.putAll(unreadable);
    try {
      relaying.all(rows);
    } finally {
      parts.tally.add(relaying, parts.steadyMs.getAsLong());
    }
    parts.sql.delete(connection, relaying.noted);
    parts.sql.fail(connection, relaying.failed);
    sweep(connection);
    return hasMore || relaying.hasMore;
  }

  private void checkOwner(Connection connection) throws SQLException {
    long nowMs = parts.steadyMs.getAsLong();
    if (!isOwner || nowMs - ownerUntilMs >= 0) {
      parts.ownership.check(connection, engine());
      isOwner = true;
      ownerUntilMs = nowMs + OWNER_MS;
    }
  }

  private UUID engine() {
    UUID id = engine;
    if (id == null) {
      id = Notes.engineId(parts.queues, UUID::randomUUID);
      engine = id;
    }
    return id;
  }

  /** Chooses the rows of a batch. Returns whether there may be more. */
  private boolean choose(Connection connection, List<String> ids) throws SQLException {
    List<OutboxSql.Head> heads =
        parts.sql.heads(
            connection,
            parts.tally.refusals().at(parts.steadyMs.getAsLong()),
            options.batchCountMax());
    long bytes = 0;
    for (OutboxSql.Head head : heads) {
      bytes += head.payloadBytes();
      if (bytes > options.batchBytesMax() && !ids.isEmpty()) {
        return true;
      }
      ids.add(head.id());
    }
    return heads.size() == options.batchCountMax();
  }

  private List<Readable> read(List<OutboxRow> rows, Map<String, String> unreadable) {
    long nowMs = parts.queues.now().toEpochMilli();
    List<Readable> read = new ArrayList<>(rows.size());
    for (OutboxRow row : rows) {
      try {
        read.add(row.read(nowMs));
      } catch (IllegalArgumentException e) {
        unreadable.put(row.id(), String.valueOf(e.getMessage()));
      }
    }
    return read;
  }

  private void sweep(Connection connection) throws SQLException {
    long steadyMs = parts.steadyMs.getAsLong();
    NoteSweep due = sweep;
    if (due == null) {
      due = new NoteSweep(parts.notes, parts.sql, options.rememberFor().toMillis(), steadyMs);
      sweep = due;
    }
    try {
      due.step(connection, parts.queues.now().toEpochMilli(), steadyMs);
    } catch (CorruptDataException | CodecException e) { // which keeps no row from being relayed
      parts.tally.sweepFailed(e);
      due.giveUp(steadyMs);
    }
  }
}
