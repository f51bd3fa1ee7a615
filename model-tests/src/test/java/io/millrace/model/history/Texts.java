package io.millrace.model.history;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.FinishedAttempt;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.SignalWait;
import io.millrace.api.Wake;
import io.millrace.model.ModelJob;
import io.millrace.model.ModelLease;
import io.millrace.model.ModelQueue;
import io.millrace.model.ModelTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/** Jobs and leases of both worlds as lines of text that are equal when what they show is. */
public final class Texts {

  private static final int PAGE_COUNT_MAX = 10_000;
  private static final String BY_ENGINE = "(the engine's words)";

  private Texts() {}

  /** Everything that a paged question answers. */
  public static <S, T> List<T> all(
      Function<PageRequest, Page<S>> question, int pageSize, Function<S, T> text) {
    List<T> all = new ArrayList<>();
    Page<S> page = question.apply(PageRequest.first(pageSize));
    for (int count = 1; ; count++) {
      assertThat(page.items()).hasSizeLessThanOrEqualTo(pageSize);
      assertThat(count).as("pages come to an end").isLessThan(PAGE_COUNT_MAX);
      page.items().stream().map(text).forEach(all::add);
      if (page.next().isEmpty()) {
        return all;
      }
      page = question.apply(PageRequest.after(page.next().get(), pageSize));
    }
  }

  public static String of(ModelLease lease, JobId id, ModelTime time) {
    ModelJob job = lease.job;
    return "lease on "
        + id
        + " of "
        + job.queue
        + " by "
        + lease.worker
        + " attempt="
        + lease.attempt
        + " priority="
        + job.options.priority()
        + " weight="
        + job.options.weight()
        + " payload="
        + of(lease.payload)
        + lease.checkpointed.map(state -> " checkpointed=" + of(state)).orElse("")
        + " of "
        + lease.maxAttempts
        + " headers="
        + of(job.options.headers())
        + " enqueuedAt="
        + job.enqueuedAtMs
        + " lastError="
        + (lease.isErrorByEngine ? BY_ENGINE : of(lease.lastError))
        + " wake="
        + lease.wake
        + " remaining="
        + lease.remainingMs(time);
  }

  public static String of(Lease lease, boolean isErrorByEngine) {
    return "lease on "
        + lease.jobId()
        + " of "
        + lease.queue()
        + " by "
        + lease.worker()
        + " attempt="
        + lease.attempt()
        + " priority="
        + lease.priority()
        + " weight="
        + lease.weight()
        + " payload="
        + of(lease.payload())
        + lease.checkpointed().map(state -> " checkpointed=" + of(state)).orElse("")
        + " of "
        + lease.maxAttempts()
        + " headers="
        + of(lease.headers())
        + " enqueuedAt="
        + lease.enqueuedAt().toEpochMilli()
        + " lastError="
        + error(lease.lastError(), isErrorByEngine)
        + " wake="
        + of(lease.wake())
        + " remaining="
        + lease.remaining().toMillis();
  }

  private static String of(Wake wake) {
    if (wake instanceof Wake.Signalled signalled) {
      return "Signalled " + signalled.name() + ":" + new String(signalled.payload(), UTF_8);
    }
    if (wake instanceof Wake.Retry retry) {
      return "Retry" + retry.signal().map(signal -> " of " + of(signal)).orElse("");
    }
    if (wake instanceof Wake.AfterBatch batch) {
      return "AfterBatch " + batch.id();
    }
    return wake instanceof Wake.TimedOut timedOut
        ? "TimedOut " + timedOut.name()
        : wake.getClass().getSimpleName();
  }

  public static String of(ModelJob job, ModelQueue queue, JobId id, ModelTime time) {
    return text(id, job.state)
        + job.queue
        + " priority="
        + job.options.priority()
        + job.options.unique().map(key -> " unique=" + key.key()).orElse("")
        + " weight="
        + job.options.weight()
        + " key="
        + job.options.concurrencyKey()
        + job.options.engineConcurrencyKey()
        + job.options.engineRateKey()
        + job.options.engineRateLimit()
        + " payload="
        + of(job.payload)
        + job.checkpointed.map(state -> " checkpointed=" + of(state)).orElse("")
        + " headers="
        + of(job.options.headers())
        + " attempts="
        + job.attempts
        + " of "
        + queue.maxAttempts(job)
        + " backoff="
        + queue.backoff(job)
        + " enqueuedAt="
        + job.enqueuedAtMs
        + (job.state == JobState.DELAYED ? " visibleAt=" + job.visibleAtMs(time) : "")
        + (job.state == JobState.DEAD ? " diedAt=" + job.diedAtMs : "")
        + (job.state == JobState.DONE ? " completedAt=" + job.completedAtMs : "")
        + job.tally.map(tally -> " of batch " + tally.id).orElse("")
        + job.awaited.map(awaited -> " after batch " + awaited.tally().id).orElse("")
        + (job.state == JobState.WAITING && job.awaited.isEmpty()
            ? " waits for "
                + job.signal
                + " since "
                + job.waitSinceMs
                + " until "
                + job.signalDeadlineMs(time)
            : "")
        + (job.expireAtMs != 0 ? " expiresAt=" + job.expiresAtMs(time) : "")
        + job.result.map(result -> " result=" + of(result)).orElse("")
        + " lastError="
        + (job.isErrorByEngine ? BY_ENGINE : of(job.lastError))
        + job.lease
            .map(lease -> " worker=" + lease.worker + " startedAt=" + lease.startedAtMs)
            .orElse("");
  }

  public static String of(Job job, boolean isErrorByEngine) {
    return text(job.id(), job.state())
        + job.queue()
        + " priority="
        + job.priority()
        + job.uniqueKey().map(key -> " unique=" + key).orElse("")
        + " weight="
        + job.weight()
        + " key="
        + job.concurrencyKey()
        + job.engineConcurrencyKey()
        + job.engineRateKey()
        + job.engineRateLimit()
        + " payload="
        + of(job.payload())
        + job.checkpointed().map(state -> " checkpointed=" + of(state)).orElse("")
        + " headers="
        + of(job.headers())
        + " attempts="
        + job.attempts()
        + " of "
        + job.maxAttempts()
        + " backoff="
        + job.backoff()
        + " enqueuedAt="
        + job.enqueuedAt().toEpochMilli()
        + time(" visibleAt=", job.visibleAt())
        + time(" diedAt=", job.diedAt())
        + time(" completedAt=", job.completedAt())
        + job.batch().map(batch -> " of batch " + batch).orElse("")
        + job.waitsForBatch().map(batch -> " after batch " + batch).orElse("")
        + job.signalWait().map(Texts::of).orElse("")
        + time(" expiresAt=", job.expiresAt())
        + job.result().map(result -> " result=" + of(result)).orElse("")
        + " lastError="
        + error(job.lastError(), isErrorByEngine)
        + job.lease()
            .map(
                lease ->
                    " worker=" + lease.worker() + " startedAt=" + lease.startedAt().toEpochMilli())
            .orElse("");
  }

  private static String of(SignalWait wait) {
    OptionalLong deadlineMs =
        wait.deadline().map(it -> OptionalLong.of(it.toEpochMilli())).orElse(OptionalLong.empty());
    return " waits for "
        + wait.signal()
        + " since "
        + wait.since().toEpochMilli()
        + " until "
        + deadlineMs;
  }

  public static List<String> history(ModelJob job) {
    return job.history.stream()
        .map(
            attempt ->
                attempt.number()
                    + " by "
                    + attempt.worker()
                    + " from "
                    + attempt.startedAtMs()
                    + " to "
                    + attempt.endedAtMs()
                    + ": "
                    + (attempt.isErrorByEngine() ? BY_ENGINE : of(attempt.error())))
        .toList();
  }

  /** The history that the engine tells; the model says which errors the engine chose. */
  public static List<String> history(Job job, ModelJob expected) {
    List<String> texts = new ArrayList<>();
    for (FinishedAttempt attempt : job.history()) {
      boolean isErrorByEngine =
          texts.size() < expected.history.size()
              && expected.history.get(texts.size()).isErrorByEngine();
      texts.add(
          attempt.attempt()
              + " by "
              + attempt.worker()
              + " from "
              + attempt.startedAt().toEpochMilli()
              + " to "
              + attempt.endedAt().toEpochMilli()
              + ": "
              + error(attempt.error(), isErrorByEngine));
    }
    return texts;
  }

  private static String text(JobId id, JobState state) {
    return "job " + id + " " + state + " in ";
  }

  private static String time(String name, Optional<Instant> instant) {
    return instant.map(value -> name + value.toEpochMilli()).orElse("");
  }

  /** The engine chooses the words for attempts that it ended, but it must say something. */
  private static String error(Optional<String> error, boolean isErrorByEngine) {
    return isErrorByEngine && !error.orElse("").isBlank() ? BY_ENGINE : of(error);
  }

  private static String of(Optional<String> error) {
    return error
        .map(
            text ->
                text.length()
                    + ":"
                    + text.hashCode()
                    + ":"
                    + text.substring(0, Math.min(20, text.length())))
        .orElse("none");
  }

  private static String of(byte[] payload) {
    return payload.length + ":" + Arrays.hashCode(payload);
  }

  private static String of(Map<String, String> headers) {
    return headers.keySet().stream().map(String::length).toList()
        + ":"
        + List.copyOf(headers.entrySet()).hashCode();
  }
}
