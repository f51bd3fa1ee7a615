package io.millrace.internal.transition.table;

import io.millrace.internal.format.TableRowKeys;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Operation;
import io.millrace.internal.transition.Plan;
import io.millrace.internal.transition.RowReads;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of a user's table is changed by what it holds. Answers what it holds then. The first one
 * makes the table.
 */
public final class MergeRow implements Operation<byte[]> {

  private final String table;
  private final byte[] key;
  private final RowMerge merge;

  /** Nobody may change the key. */
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

  /** The leases have nothing to do with it. */
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

  /**
   * What the row will hold.
   *
   * @param judged the table's incarnation when that was found out
   */
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
