package io.millrace.internal.transition.move;

import io.millrace.internal.format.TallyKeys;
import io.millrace.internal.format.TallyRecord;
import io.millrace.internal.state.TallyEntry;
import io.millrace.internal.state.TallyTable;
import io.millrace.internal.transition.OpenBatch;

/**
 * Measures for tallies of which a row is lost, or the record of a job that may be one of theirs:
 * they are counted anew, later, once for however many rows.
 */
public final class LostTallies {

  private LostTallies() {}

  /**
   * Notes that all tallies, if there are any, are to be counted anew, for a job is lost that may be
   * one of theirs.
   */
  public static void recount(OpenBatch batch) {
    boolean[] isInUse = {batch.state().tallies().changedCount() > 0};
    batch.scan(
        TallyKeys.start(),
        TallyKeys.end(),
        1,
        (key, value) -> {
          isInUse[0] = true;
          return false;
        });
    if (isInUse[0]) {
      recount(batch, 0);
    }
  }

  /**
   * Notes that the tally of the number and all of higher numbers are to be counted anew. That one
   * gets a row, should it have none.
   */
  public static void recount(OpenBatch batch, long number) {
    byte[] key = TallyKeys.recountKey(number);
    batch.aside(() -> batch.put(key, TallyKeys.encodeDue(key)));
    batch.state().tallies().noteRecount();
  }

  /** Puts a row anew that was set aside, of a tally or of when one is due. */
  public static void restore(OpenBatch batch, byte[] key) {
    TallyTable tallies = batch.state().tallies();
    if (TallyKeys.isDueKey(key)) {
      batch.put(key, TallyKeys.encodeDue(key));
      tallies.noteRecount();
      tallies.noteDue(TallyKeys.dueMs(key));
      return;
    }
    TallyEntry known = tallies.find(TallyKeys.number(key));
    TallyRecord record = known == null ? null : known.record();
    if (known != null && record != null) {
      tallies.change(known, record);
    } else {
      recount(batch, 0);
      recount(batch, TallyKeys.number(key));
    }
  }
}
