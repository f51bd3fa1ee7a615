package io.millrace.internal.explain;

import io.millrace.api.EngineHealth;
import io.millrace.internal.explain.JobFacts.Held;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Facts about a job, and about what holds it, that only an engine knows. Times are engine time,
 * epoch ms.
 *
 * @param presence whether an engine was asked, and answered
 * @param refusal why the engine takes no changes; null if it takes them
 * @param waitedMs how long the answer was waited for in vain
 * @param known the engine's answer; null if there is none
 */
public record EngineFacts(
    Presence presence, @Nullable Refusal refusal, long waitedMs, @Nullable Known known) {

  /** The facts where the store was looked at without an engine. */
  public static final EngineFacts NONE = new EngineFacts(Presence.NONE, null, 0, null);

  /** The outcome of asking an engine: there is none, it was silent, or it answered. */
  public enum Presence {
    NONE,
    SILENT,
    ANSWERED
  }

  /** The reason for which an engine takes no changes. */
  public record Refusal(EngineHealth.Status status, long sinceMs, String reason) {}

  /**
   * The answer of an engine from its memory, between two commits.
   *
   * @param commit the newest batch by then
   * @param lease the lease on the job; null for none
   * @param leaseSequence the ready sequence of the job under that lease
   * @param leased birth sequences of those jobs asked for that are leased
   * @param higher ready jobs of the queue of higher priorities; -1 if memory does not know
   * @param queueLease the lease on the whole queue; null for none
   * @param claims claims that wait for the queue and are not kept from it
   * @param leaseCountMax the most leases, if that many are held; else 0
   * @param tokens the rate limit that does not let the job, which is ready, be started now; null
   *     for none
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
   * @param owner the owner of the limit
   */
  public record Tokens(long untilMs, Owner owner) {

    /** The owner of a rate limit. */
    public enum Owner {
      QUEUE,
      CONCURRENCY_KEY,
      ENGINE
    }
  }

  /** A lease on a whole queue. */
  public record HeldQueue(String worker, long untilMs) {}

  /**
   * The claims that wait.
   *
   * @param isServed whether a worker says that it claims when it has room
   * @param count how many were looked at
   * @param fitting how many of them could take the job now
   * @param capacityMax the most that any of their workers could ever take
   * @param freeMax the most that any of those has free whose capacity the job fits; 0 for none
   * @param lastMs when the last claim was made; 0 if that is not known
   */
  public record Claims(
      boolean isServed, int count, int fitting, int capacityMax, int freeMax, long lastMs) {}
}
