package io.millrace.internal.transition.move;

import io.millrace.api.EnqueueOptions;
import io.millrace.internal.format.TallyRecord.Condition;
import org.jspecify.annotations.Nullable;

/**
 * Relation of new jobs to tallies.
 *
 * @param counted the tally that counts them; null for none
 * @param awaited the tally for which they wait; null for none
 * @param condition what they wait for; null for none
 */
public record TallyTie(
    @Nullable TallyRef counted, @Nullable TallyRef awaited, @Nullable Condition condition) {

  /** The tie of jobs that have nothing to do with tallies. */
  public static final TallyTie NONE = new TallyTie(null, null, null);

  /** Returns the number of the tally that counts the jobs; 0 for none, or one yet to begin. */
  public long countedNumber() {
    return counted == null ? 0 : counted.number();
  }

  /** Returns the tie of jobs with these options. */
  public static TallyTie of(EnqueueOptions options) {
    return options.batch().map(id -> to(TallyRef.of(id.value()))).orElse(NONE);
  }

  /** Returns the tie of jobs that the tally counts. */
  public static TallyTie to(TallyRef counted) {
    return new TallyTie(counted, null, null);
  }

  /** Returns the tie of jobs that wait for the tally. */
  public static TallyTie after(TallyRef awaited, Condition condition) {
    return new TallyTie(null, awaited, condition);
  }
}
