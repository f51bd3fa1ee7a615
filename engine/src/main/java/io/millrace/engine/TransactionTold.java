package io.millrace.engine;

import io.millrace.api.JobId;
import io.millrace.api.QueueName;
import io.millrace.internal.format.JobAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the function of one transaction was told, and is told again when it is called anew: the ids
 * of its new jobs, and which of them are none since others hold their unique keys. Of one thread.
 */
final class TransactionTold {

  private final TransactionIds ids;
  private final Map<Integer, JobAddress> addresses = new HashMap<>();
  private final Map<Integer, JobId> holders = new HashMap<>();

  /** What becomes of one new job. */
  record ForJob(JobAddress address, @Nullable JobId holder) {}

  TransactionTold(TransactionIds ids) {
    this.ids = ids;
  }

  /**
   * What is told of a new job.
   *
   * @param place of the operation among all of the transaction
   */
  ForJob next(Submitter submitter, QueueName queue, int priority, int place) {
    JobAddress known = addresses.get(place);
    JobAddress address = ids.take(submitter, queue, priority, known, addresses.size());
    addresses.put(place, address);
    return new ForJob(address, holders.get(place));
  }

  /** Other jobs hold the unique keys of the new ones at these places, or none does any more. */
  void learn(Map<Integer, Optional<JobId>> found) {
    found.forEach(
        (place, holder) ->
            holder.ifPresentOrElse(id -> holders.put(place, id), () -> holders.remove(place)));
  }

  /** The ids cannot be used. */
  void forgetIds() {
    addresses.clear();
    ids.forget();
  }
}
