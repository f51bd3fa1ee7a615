package io.millrace.internal.transition.table;

import io.millrace.internal.format.TableRowKeys;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Operation;
import io.millrace.internal.transition.Plan;
import io.millrace.internal.transition.RowReads;
import io.millrace.spi.WriteBatch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts and deletions of rows of a user's table, each as if by a call of its own, in their order.
 * The answer has an outcome for each of them. The first put makes the table.
 *
 * <p>All rows are read before the first is changed: reading may fail, and then nothing happened. A
 * row that an earlier change of the call made is found in the batch.
 */
public final class ChangeRows implements Operation<List<ChangeRows.Outcome>> {

  private static final Outcome CHANGED = new Outcome(true, null);
  private static final Outcome NOTHING_THERE = new Outcome(false, null);

  /** The value that stands for that of an existing row whose value is not asked for. */
  private static final byte[] SOMETHING = {};

  private final String table;
  private final List<RowChange> changes;

  /**
   * The outcome for a row.
   *
   * @param isChanged whether the row was changed: put, or deleted and there before
   * @param found the value of the row if it was not changed; null if there is none
   */
  public record Outcome(boolean isChanged, byte @Nullable [] found) {}

  public ChangeRows(String table, List<RowChange> changes) {
    this.table = table;
    this.changes = changes;
  }

  /** Creates a change of one row. */
  public ChangeRows(String table, RowChange change) {
    this(table, List.of(change));
  }

  @Override
  public Growth growth() {
    for (RowChange change : changes) {
      if (change.value() != null) {
        return Growth.GROWS;
      }
    }
    return Growth.FREES;
  }

  @Override
  public Cost cost() {
    long bytes = 0;
    for (RowChange change : changes) {
      bytes += change.bytes();
    }
    return Tables.row(table).times(changes.size()).plusBytes(bytes).plus(Tables.NAME_ROWS);
  }

  @Override
  public long bytes() {
    long bytes = 0;
    for (RowChange change : changes) {
      bytes += change.heldBytes();
    }
    return bytes;
  }

  @Override
  public void declare(WorkingSet state, RowReads reads) {
    List<byte[]> looks = new ArrayList<>(0);
    for (RowChange change : changes) {
      if (change.isLook()) {
        looks.add(change.key());
      }
    }
    Tables.want(state, reads, table, looks);
  }

  /** Returns false: leases have no part in tables. */
  @Override
  public boolean needsLeaseRows() {
    return false;
  }

  @Override
  public Plan<List<Outcome>> check(OpenBatch batch) {
    long incarnation = Tables.find(batch, table);
    byte[] @Nullable [] found = new byte[changes.size()][];
    for (int i = 0; i < found.length; i++) {
      RowChange change = changes.get(i);
      if (incarnation != Tables.NONE && change.isLook()) {
        byte[] key = TableRowKeys.key(table, incarnation, change.key());
        byte[] stored = batch.get(key);
        if (change.condition() != RowChange.Condition.ANY) {
          found[i] = Tables.held(batch, key, stored);
        } else if (stored != null) {
          found[i] = SOMETHING;
        }
      }
    }
    return opened -> carryOut(opened, incarnation, found);
  }

  /**
   * Carries out the changes. Reads nothing of the store: others of the same call may have been
   * carried out.
   */
  private List<Outcome> carryOut(OpenBatch batch, long judged, byte[] @Nullable [] found) {
    List<Outcome> outcomes = new ArrayList<>(found.length);
    for (int i = 0; i < found.length; i++) {
      long incarnation = judged == Tables.NONE ? Tables.made(batch, table) : judged;
      outcomes.add(carryOut(batch, incarnation, changes.get(i), found[i]));
    }
    return outcomes;
  }

  /**
   * Changes one row.
   *
   * @param incarnation the table's; {@link Tables#NONE} if it does not exist yet
   * @param found the row's value when the call was judged; for a mere deletion, not null if it
   *     existed
   */
  private Outcome carryOut(
      OpenBatch batch, long incarnation, RowChange change, byte @Nullable [] found) {
    byte[] value = change.value();
    if (change.isLook()) {
      byte[] key = TableRowKeys.key(table, incarnation, change.key());
      int index = batch.writes().find(key);
      byte[] now =
          index == WriteBatch.ABSENT ? found : Tables.held(batch, key, batch.writes().value(index));
      if (!change.isMet(now)) {
        if (now == null) {
          return NOTHING_THERE;
        }
        batch.noteAnswer(now.length);
        return new Outcome(false, now);
      }
      if (value == null && now == null) {
        return NOTHING_THERE;
      }
    }
    if (value == null) {
      Tables.delete(batch, table, incarnation, change.key());
    } else {
      long made = incarnation == Tables.NONE ? Tables.make(batch, table) : incarnation;
      Tables.put(batch, table, made, change.key(), value);
    }
    return CHANGED;
  }
}
