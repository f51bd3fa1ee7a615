package io.millrace.internal.timer;

import io.millrace.internal.commit.DueWork;
import io.millrace.internal.state.TableNames;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.table.EmptyDroppedTable;
import org.jspecify.annotations.Nullable;

/** The removal of the rows of users' tables that were dropped, one table after the other. */
public final class DroppedTables implements DueWork {

  private final WorkingSet state;
  private TableNames.@Nullable Dropped table;
  private byte @Nullable [] from;

  public DroppedTables(WorkingSet state) {
    this.state = state;
  }

  @Override
  public long waitNs(DueTime now) {
    return state.tables().anyDropped() == null ? NEVER : 0;
  }

  @Override
  public void step(DueTime now, Steps steps) {
    TableNames.Dropped next = table;
    if (next == null || !state.tables().isDropped(next)) {
      next = state.tables().anyDropped();
      from = null;
    }
    table = next;
    if (next != null) {
      from = steps.apply(new EmptyDroppedTable(next, from)).orElse(null);
    }
  }

  @Override
  public void restart() {
    table = null;
  }
}
