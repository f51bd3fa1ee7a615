package io.millrace.internal.transition.transact;

import io.millrace.api.EnqueueResult;
import io.millrace.api.JobId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The outcome of a transaction. With every verdict but {@link Done}, nothing happened. */
public sealed interface Verdict {

  /**
   * A transaction of which all was carried out.
   *
   * @param answers of its parts, in their order
   */
  record Done(List<Object> answers) implements Verdict {}

  /** A refusal because the lease that a part concerns is not current. */
  record StaleLease(JobId job) implements Verdict {}

  /** A refusal because a queue did not take a new job. */
  record Refused(EnqueueResult.Refused why) implements Verdict {}

  /** A refusal because a row is not as the transaction read it: the caller may read it again. */
  record RowChanged(Guard guard) implements Verdict {}

  /**
   * A refusal because the caller was told something about unique keys of parts that is not true, or
   * not any more: it may ask again, knowing better.
   *
   * @param holders for each of these parts, by its place, the job that holds its key; empty if the
   *     key is free
   */
  record KeysHeld(Map<Integer, Optional<JobId>> holders) implements Verdict {

    static KeysHeld of(int part, @Nullable JobId holder) {
      return new KeysHeld(Map.of(part, Optional.ofNullable(holder)));
    }
  }

  /**
   * A refusal because an id that was told for a new job can no longer be its own: the caller may
   * ask for others.
   */
  record IdsOutdated() implements Verdict {}
}
