package io.millrace.internal.transition.transact;

import io.millrace.api.EnqueueResult;
import io.millrace.api.JobId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What became of a transaction. Of every other verdict than the first, nothing happened. */
public sealed interface Verdict {

  /**
   * All of it was carried out.
   *
   * @param answers of its parts, in their order
   */
  record Done(List<Object> answers) implements Verdict {}

  /** The lease that a part is about is not current. */
  record StaleLease(JobId job) implements Verdict {}

  /** A queue did not take a new job. */
  record Refused(EnqueueResult.Refused why) implements Verdict {}

  /** A row is not as the transaction read it: the caller may read it again. */
  record RowChanged(Guard guard) implements Verdict {}

  /**
   * Parts were told something about their unique keys that is not true, or not any more: the caller
   * may ask again, knowing better.
   *
   * @param holders for each of them, by its place, the job that holds its key; empty if it is free
   */
  record KeysHeld(Map<Integer, Optional<JobId>> holders) implements Verdict {

    static KeysHeld of(int part, @Nullable JobId holder) {
      return new KeysHeld(Map.of(part, Optional.ofNullable(holder)));
    }
  }

  /** An id that was told for a new job can no longer be its own: the caller may ask for others. */
  record IdsOutdated() implements Verdict {}
}
