package io.millrace.model.linear;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.EnqueueResult;
import io.millrace.api.Enqueued;
import io.millrace.api.ExtendResult;
import io.millrace.api.FailResult;
import io.millrace.api.Job;
import io.millrace.api.Lease;
import io.millrace.api.QueueStats;
import io.millrace.api.RedriveResult;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The engine's answers in the words of the specification. */
final class Texts {

  private Texts() {}

  /** A payload names its job and its version. */
  static byte[] payload(int job, int version) {
    return (job + "." + version).getBytes(UTF_8);
  }

  static int job(byte[] payload) {
    return Integer.parseInt(new String(payload, UTF_8).split("\\.")[0]);
  }

  private static int version(byte[] payload, Optional<byte[]> state) {
    return version(payload) + SpecJob.STATE * state.map(Texts::version).orElse(0);
  }

  private static int version(byte[] payload) {
    return Integer.parseInt(new String(payload, UTF_8).split("\\.")[1]);
  }

  /** COMPLETED is "completed", STALE_LEASE is "stale lease". */
  static String of(Enum<?> result) {
    return result.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** A text, or what becomes one when it is known which job is meant. */
  static Object of(EnqueueResult result) {
    if (result instanceof Enqueued enqueued && enqueued.isDuplicate()) {
      return new Session.DuplicateOf(enqueued.jobId());
    }
    return result instanceof Enqueued
        ? "enqueued"
        : result instanceof EnqueueResult.QueueFull ? "queue full" : "draining";
  }

  /** As of an enqueue. */
  static Object of(RedriveResult result) {
    if (result instanceof RedriveResult.Duplicate duplicate) {
      return new Session.DuplicateOf(duplicate.holder());
    }
    if (result instanceof RedriveResult.NotDead) {
      return OperatorSpec.STILL_ALIVE;
    }
    return result.isDone() ? "redriven" : OperatorSpec.GONE;
  }

  static String of(FailResult result) {
    if (result instanceof FailResult.Retried) {
      return "retried";
    }
    if (result instanceof FailResult.StaleLease) {
      return HolderSpec.STALE;
    }
    return result.getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  static String of(ExtendResult result) {
    if (result instanceof ExtendResult.Extended extended) {
      return extended.cancelRequested() ? "extended, cancel" : "extended";
    }
    return result instanceof ExtendResult.Gone ? HolderSpec.GONE : HolderSpec.STALE;
  }

  static Seen.Grant grant(int queue, Lease lease) {
    return new Seen.Grant(
        queue,
        job(lease.payload()),
        lease.token(),
        lease.attempt(),
        lease.priority(),
        version(lease.payload(), lease.checkpointed()));
  }

  static Seen.JobSeen seen(Job job) {
    return new Seen.JobSeen(
        job.state(),
        job.priority(),
        job.attempts(),
        version(job.payload(), job.checkpointed()),
        job.lease().map(Job.Running::token).orElse(0L),
        job.lease().filter(Job.Running::cancelRequested).isPresent()
            ? Seen.Cancel.ASKED
            : Seen.Cancel.NOT_ASKED);
  }

  static Seen.StatsSeen seen(QueueStats stats) {
    return new Seen.StatsSeen(
        withoutZeros(stats.counts()),
        withoutZeros(stats.totals()),
        stats.serving() == QueueStats.Serving.PAUSED ? Call.Serving.PAUSED : Call.Serving.RESUMED);
  }

  private static <K> Map<K, Long> withoutZeros(Map<K, Long> counts) {
    return counts.entrySet().stream()
        .filter(entry -> entry.getValue() != 0)
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }
}
