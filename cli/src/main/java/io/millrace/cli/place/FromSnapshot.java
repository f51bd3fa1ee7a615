package io.millrace.cli.place;

import io.millrace.api.Backoff;
import io.millrace.api.FinishedAttempt;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.LeasedQueue;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.api.RateLimit;
import io.millrace.api.RedriveResult;
import io.millrace.api.SignalWait;
import io.millrace.api.VerifyReport;
import io.millrace.management.AttemptSnapshot;
import io.millrace.management.BackoffSnapshot;
import io.millrace.management.JobSnapshot;
import io.millrace.management.LeaseSnapshot;
import io.millrace.management.QueueLeaseSnapshot;
import io.millrace.management.QueueSnapshot;
import io.millrace.management.VerifySnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** What the snapshots of another process say, as the engine's own types. */
final class FromSnapshot {

  private FromSnapshot() {}

  static Job job(JobSnapshot snapshot) {
    return new ToldJob(
        JobId.parse(snapshot.getId()),
        new QueueName(snapshot.getQueue(), snapshot.getTenant()),
        Asked.word(JobState.class, snapshot.getState()),
        snapshot.getType(),
        Optional.ofNullable(snapshot.getUniqueKey()),
        snapshot.getPriority(),
        snapshot.getWeight(),
        snapshot.getPayload(),
        Optional.ofNullable(snapshot.getCheckpointed()),
        snapshot.getHeaders(),
        Optional.ofNullable(snapshot.getConcurrencyKey()),
        Optional.ofNullable(snapshot.getEngineConcurrencyKey()),
        number(snapshot.getEngineConcurrencyMost()),
        Optional.ofNullable(snapshot.getEngineRateKey()),
        Optional.ofNullable(snapshot.getEngineRateLimit()).map(RateLimit::parse),
        snapshot.getAttempts(),
        snapshot.getMaxAttempts(),
        backoff(snapshot.getBackoff()),
        Instant.ofEpochMilli(snapshot.getEnqueuedAtMs()),
        instant(snapshot.getVisibleAtMs()),
        Optional.ofNullable(snapshot.getLastError()),
        instant(snapshot.getDiedAtMs()),
        Optional.ofNullable(snapshot.getLease()).map(FromSnapshot::lease),
        instant(snapshot.getCompletedAtMs()),
        Optional.ofNullable(snapshot.getResult()),
        instant(snapshot.getExpiresAtMs()),
        snapshot.getHistory().stream().map(FromSnapshot::attempt).toList(),
        Optional.ofNullable(snapshot.getSignal()).map(signal -> wait(signal, snapshot)));
  }

  private static SignalWait wait(String signal, JobSnapshot snapshot) {
    long sinceMs = Objects.requireNonNull(snapshot.getSignalSinceMs(), "since");
    return new SignalWait(
        signal, Instant.ofEpochMilli(sinceMs), instant(snapshot.getSignalDeadlineMs()));
  }

  /** How a redrive ended, told as a word, and of a duplicate the job that holds its key. */
  static RedriveResult redriven(String told) {
    String[] words = told.split(" ");
    return switch (words[0]) {
      case "REDRIVEN" -> new RedriveResult.Redriven();
      case "NOT_DEAD" -> new RedriveResult.NotDead();
      case "DUPLICATE" -> new RedriveResult.Duplicate(JobId.parse(words[1]));
      default -> new RedriveResult.Gone();
    };
  }

  static QueueStats stats(QueueSnapshot snapshot) {
    return new ToldStats(
        new QueueName(snapshot.getName(), snapshot.getTenant()),
        counts(JobState.class, snapshot.getCounts()),
        counts(QueueStats.Total.class, snapshot.getTotals()),
        Optional.ofNullable(snapshot.getOldestReadyAgeMs()).map(Duration::ofMillis),
        Asked.word(QueueStats.Serving.class, snapshot.getServing()),
        Optional.ofNullable(snapshot.getLease()).map(FromSnapshot::queueLease));
  }

  private static LeasedQueue queueLease(QueueLeaseSnapshot snapshot) {
    return new ToldQueueLease(
        new QueueName(snapshot.getName(), snapshot.getTenant()),
        snapshot.getWorker(),
        Instant.ofEpochMilli(snapshot.getSinceMs()),
        Instant.ofEpochMilli(snapshot.getUntilMs()));
  }

  private record ToldQueueLease(QueueName queue, String worker, Instant since, Instant until)
      implements LeasedQueue {}

  static VerifyReport report(VerifySnapshot snapshot) {
    return new VerifyReport(
        snapshot.getQueueCount(),
        snapshot.getJobCount(),
        snapshot.getProblems().stream()
            .map(
                problem ->
                    new VerifyReport.Problem(
                        problem.getKeyspace(), problem.getKey(), problem.getFinding()))
            .toList(),
        snapshot.getProblemCount(),
        snapshot.getQuarantinedCount());
  }

  private static Job.Running lease(LeaseSnapshot snapshot) {
    return new Job.Running(
        snapshot.getToken(),
        snapshot.getWorker(),
        Instant.ofEpochMilli(snapshot.getStartedAtMs()),
        snapshot.isCancelRequested());
  }

  private static FinishedAttempt attempt(AttemptSnapshot snapshot) {
    return new FinishedAttempt(
        snapshot.getAttempt(),
        Instant.ofEpochMilli(snapshot.getStartedAtMs()),
        Instant.ofEpochMilli(snapshot.getEndedAtMs()),
        snapshot.getWorker(),
        Optional.ofNullable(snapshot.getError()));
  }

  private static Backoff backoff(BackoffSnapshot snapshot) {
    return switch (snapshot.getKind()) {
      case "Exponential" ->
          new Backoff.Exponential(
              duration(snapshot.getInitialMs()),
              Objects.requireNonNull(snapshot.getMultiplier(), "multiplier"),
              duration(snapshot.getMaxMs()),
              snapshot.getJitter());
      case "Linear" ->
          new Backoff.Linear(
              duration(snapshot.getInitialMs()),
              duration(snapshot.getStepMs()),
              duration(snapshot.getMaxMs()),
              snapshot.getJitter());
      default ->
          new Backoff.Custom(
              Arrays.stream(Objects.requireNonNull(snapshot.getDelaysMs(), "delays"))
                  .mapToObj(Duration::ofMillis)
                  .toList(),
              snapshot.getJitter());
    };
  }

  private static Duration duration(@Nullable Long ms) {
    return Duration.ofMillis(Objects.requireNonNull(ms, "duration"));
  }

  private static OptionalInt number(@Nullable Integer value) {
    return value == null ? OptionalInt.empty() : OptionalInt.of(value);
  }

  private static Optional<Instant> instant(@Nullable Long ms) {
    return Optional.ofNullable(ms).map(Instant::ofEpochMilli);
  }

  private static <K extends Enum<K>> Map<K, Long> counts(
      Class<K> kind, Map<String, Long> snapshot) {
    Map<K, Long> counts = new EnumMap<>(kind);
    for (K each : kind.getEnumConstants()) {
      counts.put(each, snapshot.getOrDefault(each.name(), 0L));
    }
    return counts;
  }
}
