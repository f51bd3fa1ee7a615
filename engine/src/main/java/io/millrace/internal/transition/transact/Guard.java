package io.millrace.internal.transition.transact;

import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.table.Tables;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of a user's table as a transaction has read it: the row must be the same when the
 * transaction is carried out.
 *
 * @param key the user's key; nobody may change it
 * @param value the value of the row; null if there was none. Nobody may change it
 */
public record Guard(String table, byte[] key, byte @Nullable [] value) {

  private static final int ROW_BYTES = 100;

  /** Wants the row. */
  void declare(WorkingSet state, RowReads reads) {
    Tables.want(state, reads, table, List.of(key));
  }

  /**
   * Tells whether the row is still the same, with what earlier requests of the group have made of
   * it.
   */
  boolean holds(OpenBatch batch) {
    byte[] now = Tables.get(batch, table, Tables.find(batch, table), key);
    return Arrays.equals(now, value);
  }

  /** Returns roughly how many bytes of memory the guard keeps alive. */
  int bytes() {
    return ROW_BYTES + key.length + (value == null ? 0 : value.length);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Guard that
        && table.equals(that.table)
        && Arrays.equals(key, that.key)
        && Arrays.equals(value, that.value);
  }

  @Override
  public int hashCode() {
    return 31 * table.hashCode() + Arrays.hashCode(key);
  }
}
