package io.millrace.worker;

import io.millrace.api.JobQueues;
import io.millrace.api.Lease;
import io.millrace.engine.noted.Noted;
import io.millrace.engine.noted.Troubles;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The types of jobs that a worker met and has no handler for: how long such a job rests, and who is
 * told. Any thread.
 *
 * <p>A job rests for a minute at first, so that another worker may have it soon, and for longer the
 * longer its type has been unknown here. Jobs of one type come back one after the other, and not
 * all at once, since others wait in the same queue. The log is told of the first, and then how many
 * there were, once a minute at most.
 */
final class UnknownTypes {

  static final Duration REST_LEAST = Duration.ofMinutes(1);
  static final Duration REST_MOST = Duration.ofHours(1);

  /** The most types that are told apart; further ones count as one. */
  static final int TYPES_MAX = 1_000;

  static final String OTHERS = "others";

  private static final Logger LOG = LoggerFactory.getLogger(UnknownTypes.class);
  private static final Duration TOLD_LEAST = Duration.ofMinutes(1);
  private static final Duration BETWEEN = Duration.ofMillis(5);

  private static final Duration SILENCE_MOST = REST_MOST.plusMinutes(10);

  private final String worker;
  private final Optional<Troubles> troubles;
  private final Optional<Duration> deadAfter;
  private final Map<String, Met> types = new TreeMap<>();

  /**
   * Creates an instance that has met no type yet.
   *
   * @param deadAfter the time after it was enqueued from which on such a job is no longer handed
   *     back
   */
  UnknownTypes(String worker, JobQueues queues, Optional<Duration> deadAfter) {
    this.worker = worker;
    this.deadAfter = deadAfter;
    this.troubles = Noted.troublesOf(queues);
  }

  /** Reports that a worker begins which has a handler for the type. */
  void known(String type) {
    troubles.ifPresent(it -> it.over(Troubles.ofType(type)));
  }

  /** The record of one type. Guarded by the lock of the enclosing instance. */
  private static final class Met {
    final Instant first;
    Instant told = Instant.MIN;
    Instant lastBack = Instant.MIN;
    long count;
    long untold;

    Met(Instant first) {
      this.first = first;
    }
  }

  /** Notes that a job of such a type was met; returns how long it is to rest. */
  Duration met(Lease lease, Instant now) {
    long untold = 0;
    Duration rest;
    synchronized (this) {
      boolean isRoom = types.size() < TYPES_MAX || types.containsKey(lease.type());
      Met met = types.computeIfAbsent(isRoom ? lease.type() : OTHERS, type -> new Met(now));
      met.count++;
      met.untold++;
      Instant back = now.plus(restAfter(Duration.between(met.first, now)));
      if (met.count > 1 && back.isBefore(met.lastBack.plus(BETWEEN))) {
        back = met.lastBack.plus(BETWEEN);
      }
      met.lastBack = back;
      rest = Duration.between(now, back);
      if (met.count == 1 || !now.isBefore(met.told.plus(TOLD_LEAST))) {
        untold = met.untold;
        met.untold = 0;
        met.told = now;
      }
    }
    troubles.ifPresent(
        it -> it.tell(Troubles.ofType(lease.type()), sentence(lease.type()), SILENCE_MOST));
    if (untold > 0) {
      tell(lease, untold, rest);
    }
    return rest;
  }

  /** Tells whether such a job is so old that it is no longer to be handed back. */
  boolean isOver(Lease lease, Instant now) {
    return deadAfter.filter(most -> !now.isBefore(lease.enqueuedAt().plus(most))).isPresent();
  }

  private String sentence(String type) {
    return "jobs are handed back, for the worker has no handler for their type: type=%s, worker=%s"
        .formatted(type, worker);
  }

  private static Duration restAfter(Duration known) {
    if (known.compareTo(REST_LEAST) < 0) {
      return REST_LEAST;
    }
    return known.compareTo(REST_MOST) > 0 ? REST_MOST : known;
  }

  private void tell(Lease lease, long count, Duration rest) {
    Telling.tell(
        () ->
            LOG.warn(
                "worker has no handler for a type of jobs, and hands them back: worker={}, type={},"
                    + " since it was told last={}, this one={}, for={}",
                worker,
                lease.type(),
                count,
                lease.jobId(),
                rest));
  }

  /** Returns how many jobs were met, by type. */
  synchronized Map<String, Long> counts() {
    Map<String, Long> counts = new TreeMap<>();
    types.forEach((type, met) -> counts.put(type, met.count));
    return counts;
  }
}
