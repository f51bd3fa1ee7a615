package io.millrace.model.linear;

import io.millrace.api.JobState;

/**
 * A job of the specification. A value: what changes it makes another.
 *
 * @param id its numbers
 * @param state where it is
 * @param order its place among those that became ready
 * @param attempts how many starts count
 * @param version of its payload, and {@link #STATE} times that of the state that was kept last
 * @param lease the one on it, {@link #NO_LEASE} if there is none
 * @param due when its lease ends or its wait is over
 */
record SpecJob(
    Id id,
    JobState state,
    int priority,
    long order,
    int attempts,
    int version,
    Holding lease,
    Window due) {

  /** No payload has so high a version. */
  static final int STATE = 10_000;

  /** How often a job may be started. */
  static final int ATTEMPTS_MAX = 2;

  static final Holding NO_LEASE = new Holding(0, Seen.Cancel.NOT_ASKED);
  static final Window NEVER = new Window(Long.MAX_VALUE, Long.MAX_VALUE);

  /** What never changes. */
  record Id(int number, int queue, String uniqueKey) {}

  /** A lease. */
  record Holding(long token, Seen.Cancel cancel) {}

  /**
   * A moment that lies between two others: the recorder does not see at which time exactly the
   * engine answered or was asked.
   */
  record Window(long earliestMs, long latestMs) {

    Window plus(long ms) {
      return new Window(earliestMs + ms, latestMs + ms);
    }

    Window orLater(Window other) {
      return new Window(Math.max(earliestMs, other.earliestMs), Math.max(latestMs, other.latestMs));
    }
  }

  int number() {
    return id.number;
  }

  int queue() {
    return id.queue;
  }

  boolean isWaiting() {
    return state == JobState.READY || state == JobState.DELAYED;
  }

  SpecJob ready(long newOrder) {
    return new SpecJob(id, JobState.READY, priority, newOrder, attempts, version, NO_LEASE, NEVER);
  }

  SpecJob delayed(Window until) {
    return new SpecJob(id, JobState.DELAYED, priority, 0, attempts, version, NO_LEASE, until);
  }

  SpecJob leased(long token, Window end) {
    return new SpecJob(
        id,
        JobState.LEASED,
        priority,
        order,
        attempts + 1,
        version,
        new Holding(token, Seen.Cancel.NOT_ASKED),
        end);
  }

  SpecJob dead() {
    return new SpecJob(id, JobState.DEAD, priority, 0, attempts, version, NO_LEASE, NEVER);
  }

  SpecJob withAttempts(int value) {
    return new SpecJob(id, state, priority, order, value, version, lease, due);
  }

  SpecJob withPriority(int value) {
    return new SpecJob(id, state, value, order, attempts, version, lease, due);
  }

  SpecJob withPayload(int value) {
    int both = version / STATE * STATE + value;
    return new SpecJob(id, state, priority, order, attempts, both, lease, due);
  }

  SpecJob withState(int value) {
    int both = version % STATE + value * STATE;
    return new SpecJob(id, state, priority, order, attempts, both, lease, due);
  }

  SpecJob withOrder(long value) {
    return new SpecJob(id, state, priority, value, attempts, version, lease, due);
  }

  SpecJob withCancelAsked() {
    Holding asked = new Holding(lease.token, Seen.Cancel.ASKED);
    return new SpecJob(id, state, priority, order, attempts, version, asked, due);
  }

  SpecJob withDue(Window value) {
    return new SpecJob(id, state, priority, order, attempts, version, lease, value);
  }
}
