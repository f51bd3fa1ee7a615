package io.millrace.cli.place;

import io.millrace.api.Backoff;
import io.millrace.api.FinishedAttempt;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.api.VerifyReport;
import io.millrace.management.AttemptSnapshot;
import io.millrace.management.BackoffSnapshot;
import io.millrace.management.JobSnapshot;
import io.millrace.management.LeaseSnapshot;
import io.millrace.management.QueueSnapshot;
import io.millrace.management.VerifySnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What another process told, as the engine's own types. */
final class Told {

  private Told() {}

  static Job job(JobSnapshot told) {
    return new Job(
        JobId.parse(told.getId()),
        new QueueName(told.getQueue(), told.getTenant()),
        JobState.valueOf(told.getState()),
        told.getPriority(),
        told.getWeight(),
        told.getPayload(),
        told.getHeaders(),
        told.getAttempts(),
        told.getMaxAttempts(),
        backoff(told.getBackoff()),
        Instant.ofEpochMilli(told.getEnqueuedAtMs()),
        instant(told.getVisibleAtMs()),
        Optional.ofNullable(told.getLastError()),
        instant(told.getDiedAtMs()),
        Optional.ofNullable(told.getLease()).map(Told::lease),
        instant(told.getCompletedAtMs()),
        Optional.ofNullable(told.getResult()),
        instant(told.getExpiresAtMs()),
        told.getHistory().stream().map(Told::attempt).toList());
  }

  static QueueStats stats(QueueSnapshot told) {
    return new QueueStats(
        new QueueName(told.getName(), told.getTenant()),
        counts(JobState.class, told.getCounts()),
        counts(QueueStats.Total.class, told.getTotals()),
        Optional.ofNullable(told.getOldestReadyAgeMs()).map(Duration::ofMillis),
        QueueStats.Serving.valueOf(told.getServing()));
  }

  static VerifyReport report(VerifySnapshot told) {
    return new VerifyReport(
        told.getQueueCount(),
        told.getJobCount(),
        told.getProblems().stream()
            .map(
                problem ->
                    new VerifyReport.Problem(
                        problem.getKeyspace(), problem.getKey(), problem.getFinding()))
            .toList(),
        told.getProblemCount(),
        told.getQuarantinedCount());
  }

  private static Job.Running lease(LeaseSnapshot told) {
    return new Job.Running(
        told.getToken(),
        told.getWorker(),
        Instant.ofEpochMilli(told.getStartedAtMs()),
        told.isCancelRequested());
  }

  private static FinishedAttempt attempt(AttemptSnapshot told) {
    return new FinishedAttempt(
        told.getAttempt(),
        Instant.ofEpochMilli(told.getStartedAtMs()),
        Instant.ofEpochMilli(told.getEndedAtMs()),
        told.getWorker(),
        Optional.ofNullable(told.getError()));
  }

  private static Backoff backoff(BackoffSnapshot told) {
    return switch (told.getKind()) {
      case "Exponential" ->
          new Backoff.Exponential(
              duration(told.getInitialMs()),
              Objects.requireNonNull(told.getMultiplier(), "multiplier"),
              duration(told.getMaxMs()),
              told.getJitter());
      case "Linear" ->
          new Backoff.Linear(
              duration(told.getInitialMs()),
              duration(told.getStepMs()),
              duration(told.getMaxMs()),
              told.getJitter());
      default ->
          new Backoff.Custom(
              Arrays.stream(Objects.requireNonNull(told.getDelaysMs(), "delays"))
                  .mapToObj(Duration::ofMillis)
                  .toList(),
              told.getJitter());
    };
  }

  private static Duration duration(@Nullable Long ms) {
    return Duration.ofMillis(Objects.requireNonNull(ms, "duration"));
  }

  private static Optional<Instant> instant(@Nullable Long ms) {
    return Optional.ofNullable(ms).map(Instant::ofEpochMilli);
  }

  private static <K extends Enum<K>> Map<K, Long> counts(Class<K> kind, Map<String, Long> told) {
    Map<K, Long> counts = new EnumMap<>(kind);
    for (K each : kind.getEnumConstants()) {
      counts.put(each, told.getOrDefault(each.name(), 0L));
    }
    return counts;
  }
}
