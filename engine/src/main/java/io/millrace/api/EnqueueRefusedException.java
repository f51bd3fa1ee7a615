package io.millrace.api;

import java.util.List;
import java.util.Objects;

/**
 * Thrown when a queue did not take a job because it is full or being drained, or because the job's
 * batch takes no more. {@link JobQueue#offer} returns a value instead.
 */
public final class EnqueueRefusedException extends NotDoneException {

  private static final long serialVersionUID = 1L;

  private final transient List<EnqueueResult> results;

  /**
   * Creates an exception whose message tells of the first refusal.
   *
   * @param results all results of the call
   */
  EnqueueRefusedException(EnqueueResult.Refused first, List<EnqueueResult> results) {
    super(first.reason() + ": queue=" + first.queue() + refusedOf(results));
    this.results = List.copyOf(results);
  }

  /** Creates an exception with a message that was told elsewhere, where the results are. */
  public EnqueueRefusedException(String message) {
    super(message);
    this.results = List.of();
  }

  private static String refusedOf(List<EnqueueResult> results) {
    long refused = results.stream().filter(result -> !result.isDone()).count();
    return results.size() == 1 ? "" : ", refused=" + refused + " of " + results.size();
  }

  /**
   * Returns how each job of the call ended, in the order of the call. Those that are {@link
   * Enqueued} are in the queue. Empty if the exception was told by a server, or read from bytes.
   */
  public List<EnqueueResult> results() {
    return Objects.requireNonNullElse(results, List.of());
  }
}
