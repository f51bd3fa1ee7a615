package io.millrace.test;

import io.millrace.api.Job;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Assertions about the jobs of a type, as they were when {@link TestEngine#assertJobs} was called.
 * Each method that fails throws an {@link AssertionError} that lists all of them, with their
 * states, attempts, times, last errors and payloads. For one thread.
 */
public final class JobsAssert<T> {

  private final JobType<T> type;
  private final List<Job> jobs;
  private final Instant now;
  private final Set<JobState> named = EnumSet.noneOf(JobState.class);

  JobsAssert(JobType<T> type, List<Job> jobs, Instant now) {
    this.type = type;
    this.jobs = Collections.unmodifiableList(jobs);
    this.now = now;
  }

  /**
   * Asserts that there are so many jobs, in whatever states; completed jobs that are kept for their
   * results count.
   *
   * @throws AssertionError it is not so; see {@link JobsAssert}
   */
  public JobsAssert<T> hasSize(int count) {
    named.addAll(EnumSet.allOf(JobState.class));
    return check(jobs.size() == count, "expected " + count + " jobs, and there are " + jobs.size());
  }

  /**
   * Asserts that so many jobs are ready to be claimed.
   *
   * @throws AssertionError it is not so; see {@link JobsAssert}
   */
  public JobsAssert<T> ready(int count) {
    return state(JobState.READY, count);
  }

  /**
   * Asserts that so many jobs wait for their time: new ones, and failed ones that are tried again.
   *
   * @throws AssertionError it is not so; see {@link JobsAssert}
   */
  public JobsAssert<T> delayed(int count) {
    return state(JobState.DELAYED, count);
  }

  /**
   * Asserts that so many jobs are leased.
   *
   * @throws AssertionError it is not so; see {@link JobsAssert}
   */
  public JobsAssert<T> leased(int count) {
    return state(JobState.LEASED, count);
  }

  /**
   * Asserts that so many jobs wait for a slot of their concurrency keys.
   *
   * @throws AssertionError it is not so; see {@link JobsAssert}
   */
  public JobsAssert<T> blocked(int count) {
    return state(JobState.BLOCKED, count);
  }

  /**
   * Asserts that so many jobs wait for a signal.
   *
   * @throws AssertionError it is not so; see {@link JobsAssert}
   */
  public JobsAssert<T> waiting(int count) {
    return state(JobState.WAITING, count);
  }

  /**
   * Asserts that so many jobs are dead letters.
   *
   * @throws AssertionError it is not so; see {@link JobsAssert}
   */
  public JobsAssert<T> dead(int count) {
    return state(JobState.DEAD, count);
  }

  /**
   * Asserts that so many jobs are completed and kept for their results.
   *
   * @throws AssertionError it is not so; see {@link JobsAssert}
   */
  public JobsAssert<T> done(int count) {
    return state(JobState.DONE, count);
  }

  /**
   * Asserts that so many jobs are in this state.
   *
   * @throws AssertionError it is not so; see {@link JobsAssert}
   */
  public JobsAssert<T> state(JobState state, int count) {
    named.add(Objects.requireNonNull(state, "state"));
    long found = jobs.stream().filter(job -> job.state() == state).count();
    return check(found == count, "expected " + count + " in state " + state + ", found " + found);
  }

  /**
   * Asserts that all jobs are in the states that were asked for before.
   *
   * @throws AssertionError it is not so; see {@link JobsAssert}
   */
  public JobsAssert<T> nothingElse() {
    boolean isAllNamed = jobs.stream().allMatch(job -> named.contains(job.state()));
    return check(isAllNamed, "expected no jobs but in the states " + named);
  }

  /**
   * Asserts that the payload of at least one job matches.
   *
   * @throws AssertionError it is not so; see {@link JobsAssert}
   */
  public JobsAssert<T> anyMatch(Predicate<? super T> payload) {
    return check(
        jobs.stream().anyMatch(job -> payload.test(decoded(job))),
        "expected at least one whose payload matches");
  }

  /**
   * Asserts that the payloads of all jobs match; holds if there are none.
   *
   * @throws AssertionError it is not so; see {@link JobsAssert}
   */
  public JobsAssert<T> allMatch(Predicate<? super T> payload) {
    return check(
        jobs.stream().allMatch(job -> payload.test(decoded(job))),
        "expected only such whose payloads match");
  }

  /**
   * Asserts that the payload of no job matches.
   *
   * @throws AssertionError it is not so; see {@link JobsAssert}
   */
  public JobsAssert<T> noneMatch(Predicate<? super T> payload) {
    return check(
        jobs.stream().noneMatch(job -> payload.test(decoded(job))),
        "expected none whose payload matches");
  }

  private T decoded(Job job) {
    try {
      return type.codec().decode(job.payload());
    } catch (RuntimeException e) {
      throw new AssertionError(told("expected only payloads that can be decoded"), e);
    }
  }

  /**
   * Asserts that the last error of at least one job contains this text.
   *
   * @throws AssertionError it is not so; see {@link JobsAssert}
   */
  public JobsAssert<T> anyError(String part) {
    Objects.requireNonNull(part, "part");
    return check(
        jobs.stream().anyMatch(job -> job.lastError().filter(e -> e.contains(part)).isPresent()),
        "expected at least one whose last error contains \"" + part + "\"");
  }

  /**
   * Asserts that the next job is due in exactly this time: a delayed one is ready then, or the
   * deadline of one that waits for a signal passes. If a job is ready, the time is zero.
   *
   * @throws AssertionError it is not so; see {@link JobsAssert}
   */
  public JobsAssert<T> nextIn(Duration time) {
    Objects.requireNonNull(time, "time");
    Optional<Instant> next =
        jobs.stream().flatMap(job -> JobsFound.due(job, now).stream()).min(Instant::compareTo);
    return check(
        next.equals(Optional.of(now.plus(time))),
        "expected the next to be due in "
            + time
            + ", and "
            + next.map(at -> "it is in " + Duration.between(now, at)).orElse("none will ever be"));
  }

  private JobsAssert<T> check(boolean isAsExpected, String otherwise) {
    if (!isAsExpected) {
      throw new AssertionError(told(otherwise));
    }
    return this;
  }

  private String told(String failure) {
    return failure + "\n" + JobsFound.told(jobs, type, now);
  }
}
