package io.millrace.engine;

import io.millrace.api.JobId;
import io.millrace.api.QueueName;
import io.millrace.internal.format.JobAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The answers that the function of one transaction was given, and is given again when it is called
 * anew: the ids of its new jobs, and which of these are not made since others hold their unique
 * keys. Belongs to one thread.
 */
final class TransactionTold {

  private final TransactionIds ids;

  /** The ids of the new jobs, in the order in which they are asked for, so that births rise. */
  private final List<JobAddress> addresses = new ArrayList<>();

  /** The jobs that hold unique keys of new ones by place; empty if there is none any more. */
  private final Map<Integer, Optional<JobId>> holders = new HashMap<>();

  private final Map<Integer, Long> tallies = new HashMap<>();
  private int givenCount;
  private boolean areIdsGone;

  /**
   * The answer for one new job.
   *
   * @param address the job's id, as its address
   * @param holder the job that holds the new one's unique key; null if none is known
   */
  record ForJob(JobAddress address, @Nullable JobId holder) {}

  TransactionTold(TransactionIds ids) {
    this.ids = ids;
  }

  /** Begins to answer anew, since the function is called once more. */
  void begin() {
    givenCount = 0;
  }

  /**
   * Returns the answer for a new job.
   *
   * @param place the index of the operation among all of the transaction
   */
  ForJob next(Submitter submitter, QueueName queue, int priority, int place) {
    JobAddress known = givenCount < addresses.size() ? addresses.get(givenCount) : null;
    JobAddress address = ids.take(submitter, queue, priority, known, addresses.size());
    if (known == null) {
      addresses.add(address);
    } else {
      addresses.set(givenCount, address);
    }
    givenCount++;
    return forJob(address, Optional.empty(), place);
  }

  /**
   * Returns the answer for a new job whose id is known.
   *
   * @param holder the job that holds its unique key, as far as the caller knows
   * @param place the index of the operation among all of the transaction
   */
  ForJob forJob(JobAddress address, Optional<JobId> holder, int place) {
    return new ForJob(address, holders.getOrDefault(place, holder).orElse(null));
  }

  /** Tells whether ids that were known turned out to be of no use. */
  boolean areIdsGone() {
    return areIdsGone;
  }

  /**
   * Returns the number of a new tally.
   *
   * @param place the index of the operation among all of the transaction
   */
  long nextTally(Submitter submitter, int place) {
    return tallies.computeIfAbsent(place, at -> ids.takeNumber(submitter, addresses.size()));
  }

  /**
   * Learns which jobs hold the unique keys of the new ones at these places, or that none does any
   * more.
   */
  void learn(Map<Integer, Optional<JobId>> found) {
    holders.putAll(found);
  }

  /** Forgets the ids, which cannot be used. */
  void forgetIds() {
    areIdsGone = true;
    addresses.clear();
    tallies.clear();
    ids.forget();
  }
}
