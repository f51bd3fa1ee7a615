package io.millrace.internal.explain;

import io.millrace.api.EngineHealth;
import io.millrace.internal.explain.JobFacts.Held;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What only an engine knows of a job and of what holds it. Times are engine time, epoch ms.
 *
 * @param presence whether an engine was asked, and answered
 * @param refusal why it takes no changes; null if it does
 * @param waitedMs how long it was waited for in vain
 * @param known what it answered; null if it did not
 */
public record EngineFacts(
    Presence presence, @Nullable Refusal refusal, long waitedMs, @Nullable Known known) {

  /** The store was looked at without an engine. */
  public static final EngineFacts NONE = new EngineFacts(Presence.NONE, null, 0, null);

  /** Whether an engine told what it knows. */
  public enum Presence {
    NONE,
    SILENT,
    ANSWERED
  }

  /** Why an engine takes no changes. */
  public record Refusal(EngineHealth.Status status, long sinceMs, String reason) {}

  /**
   * What memory says, between two commits.
   *
   * @param commit the newest batch by then
   * @param lease the lease on the job; null for none
   * @param leaseSequence the ready sequence of the job under that lease
   * @param leased birth sequences of those jobs asked for that are leased
   * @param higher ready jobs of the queue of higher priorities; -1 if memory does not know
   * @param queueLease who has the queue; null for nobody
   * @param claims claims that wait for the queue and are not kept from it
   * @param leaseCountMax how many leases there may be, if there are so many; else 0
   * @param tokens if a rate limit lets the job, which is ready, not be started now
   */
  public record Known(
      long commit,
      @Nullable Held lease,
      long leaseSequence,
      Set<Long> leased,
      long higher,
      @Nullable HeldQueue queueLease,
      Claims claims,
      int leaseCountMax,
      @Nullable Tokens tokens) {}

  /**
   * A rate limit without a token.
   *
   * @param untilMs when it has the next
   * @param owner whose limit it is
   */
  public record Tokens(long untilMs, Owner owner) {

    /** Whose a rate limit is. */
    public enum Owner {
      QUEUE,
      CONCURRENCY_KEY,
      ENGINE
    }
  }

  /** A lease on a whole queue. */
  public record HeldQueue(String worker, long untilMs) {}

  /**
   * Claims that wait.
   *
   * @param isServed whether a worker says that it claims when it has room
   * @param count how many were looked at
   * @param fitting how many of them could take the job now
   * @param capacityMax the most that any of their workers could ever take
   * @param freeMax the most that any of those has free whose capacity the job fits; 0 for none
   * @param lastMs when somebody last claimed; 0 if that is not known
   */
  public record Claims(
      boolean isServed, int count, int fitting, int capacityMax, int freeMax, long lastMs) {}
}
