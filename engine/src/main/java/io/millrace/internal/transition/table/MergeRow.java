package io.millrace.internal.transition.table;

import io.millrace.internal.format.TableRowKeys;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Operation;
import io.millrace.internal.transition.Plan;
import io.millrace.internal.transition.RowReads;
import io.millrace.tables.RowMerge;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change of a row of a user's table that goes by what the row holds. The answer is what it holds
 * afterwards. The first change makes the table.
 */
public final class MergeRow implements Operation<byte[]> {

  private final String table;
  private final byte[] key;
  private final RowMerge merge;

  /**
   * Creates a change.
   *
   * @param key nobody may change it
   */
  public MergeRow(String table, byte[] key, RowMerge merge) {
    this.table = table;
    this.key = key;
    this.merge = merge;
  }

  @Override
  public Growth growth() {
    return Growth.GROWS;
  }

  @Override
  public Cost cost() {
    return Tables.row(table).plusBytes(key.length + merge.bytesMax()).plus(Tables.NAME_ROWS);
  }

  @Override
  public long bytes() {
    return key.length + merge.with().length;
  }

  @Override
  public void declare(WorkingSet state, RowReads reads) {
    Tables.want(state, reads, table, List.of(key));
  }

  /** Returns false: leases have no part in tables. */
  @Override
  public boolean needsLeaseRows() {
    return false;
  }

  @Override
  public Plan<byte[]> check(OpenBatch batch) {
    long incarnation = Tables.find(batch, table);
    byte[] rowKey = TableRowKeys.key(table, incarnation, key);
    byte @Nullable [] planned = batch.planned().row(rowKey);
    byte[] found = planned != null ? planned : Tables.get(batch, table, incarnation, key);
    return new Merged(incarnation, rowKey, merged(found));
  }

  private byte[] merged(byte @Nullable [] found) {
    try {
      return merge.applied(found);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "nothing of the transaction happened: table="
              + table
              + ", key="
              + HexFormat.of().formatHex(key)
              + ": "
              + e.getMessage(),
          e);
    }
  }

  /** A plan that puts the value that the row will hold. */
  private final class Merged implements Plan<byte[]> {

    private final long judged;
    private final byte[] rowKey;
    private final byte[] value;

    Merged(long judged, byte[] rowKey, byte[] value) {
      this.judged = judged;
      this.rowKey = rowKey;
      this.value = value;
    }

    @Override
    public void foretell(OpenBatch batch) {
      batch.planned().putRow(rowKey, value);
    }

    @Override
    public byte[] carryOut(OpenBatch batch) {
      long made = judged == Tables.NONE ? Tables.made(batch, table) : judged;
      Tables.put(batch, table, made == Tables.NONE ? Tables.make(batch, table) : made, key, value);
      batch.noteAnswer(value.length);
      return value;
    }
  }
}
