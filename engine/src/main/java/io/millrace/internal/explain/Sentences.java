package io.millrace.internal.explain;

import io.millrace.api.EngineHealth;
import io.millrace.api.Explanation.Ahead;
import io.millrace.api.Explanation.Holder;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.internal.explain.JobFacts.Attempts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The sentences of reasons in plain words, each in one line, as of one moment. */
final class Sentences {

  /** The most characters of a user's text that are shown. */
  private static final int TEXT_LENGTH_MAX = 200;

  /** The most jobs that a sentence names. */
  private static final int NAMED_JOBS_MAX = 5;

  private final long nowMs;

  Sentences(long nowMs) {
    this.nowMs = nowMs;
  }

  String dead(long sinceMs, Attempts attempts, long removedAtMs) {
    return "has been dead since "
        + instant(sinceMs)
        + " ("
        + span(nowMs - sinceMs)
        + "): "
        + attempt(attempts)
        + (removedAtMs == 0 ? "" : "; it is removed at " + future(removedAtMs));
  }

  String done(long sinceMs, long removedAtMs) {
    return "was completed at "
        + past(sinceMs)
        + (removedAtMs == 0 ? "" : "; its result is kept until " + future(removedAtMs));
  }

  String running(JobFacts.Held lease, int attemptsMax) {
    return "is run by "
        + line(lease.worker())
        + " since "
        + instant(lease.sinceMs())
        + " (for "
        + span(nowMs - lease.sinceMs())
        + "), attempt "
        + lease.attempt()
        + " of "
        + attemptsMax
        + end(lease.untilMs())
        + (lease.isCancelRequested() ? "; its worker was asked to let go of it" : "");
  }

  private String end(long untilMs) {
    if (untilMs == 0) {
      return "";
    }
    return untilMs > nowMs
        ? "; its lease ends at " + future(untilMs) + " unless it is extended"
        : "; its lease ended at " + past(untilMs) + " and is about to be taken back";
  }

  String waits(JobFacts.Wait wait, Attempts attempts) {
    long untilMs = wait.untilMs();
    String until =
        untilMs > nowMs
            ? "waits until " + future(untilMs)
            : "has waited until " + past(untilMs) + " and is about to be ready";
    boolean hasFailed = attempts.count() > 0 && attempts.error() != null;
    if (wait.isLength() && wait.why() == JobFacts.Before.FAILED && hasFailed) {
      return until + ": " + attempt(attempts);
    }
    return until + ": " + cause(wait) + (hasFailed ? "; before, " + attempt(attempts) : "");
  }

  private static String cause(JobFacts.Wait wait) {
    return switch (wait.why()) {
      case ENQUEUED -> "it was enqueued or rescheduled so";
      case FAILED -> "it was rescheduled so";
      case SNOOZED ->
          wait.isLength() ? "its worker snoozed it" : "it was snoozed or rescheduled so";
    };
  }

  private static String attempt(Attempts attempts) {
    String which = "attempt " + attempts.count() + " of " + attempts.max();
    return attempts.error() == null
        ? which + " was its last"
        : which + " failed of " + line(attempts.error());
  }

  String waitsForSignal(JobFacts.Signal signal) {
    String waits =
        "waits for the signal \""
            + line(signal.name())
            + "\" since "
            + instant(signal.sinceMs())
            + " (for "
            + span(nowMs - signal.sinceMs())
            + ")";
    if (signal.untilMs() == 0) {
      return waits + ", without a deadline";
    }
    return signal.untilMs() > nowMs
        ? waits + ", until " + future(signal.untilMs()) + " at the latest"
        : waits
            + ": its deadline passed at "
            + past(signal.untilMs())
            + ", and it is about to go on";
  }

  /**
   * Says how far a batch has come for which the job waits. One that is over, but for dead letters,
   * is awaited only by a job that goes on if all jobs are completed.
   */
  String waitsForBatch(JobFacts.AwaitedBatch batch) {
    String waits = "waits for the batch " + named(batch);
    if (!batch.isKnown()) {
      return waits + ", which cannot be read";
    }
    String counts = waits + ": " + left(batch.left()) + dead(batch);
    if (!batch.isSealed()) {
      return counts + "; it is not sealed, and cannot be over before seal is called";
    }
    if (batch.left() > 0) {
      return counts;
    }
    return batch.dead() == 0
        ? counts + ", and the job is about to go on"
        : counts + "; the job waits for these to be redriven, and is cancelled if they are removed";
  }

  private static String named(JobFacts.AwaitedBatch batch) {
    return batch.name().isEmpty()
        ? batch.id().toString()
        : "\"" + line(batch.name()) + "\" (" + batch.id() + ")";
  }

  private static String left(long left) {
    return (left == 0 ? "none" : count(left))
        + " of its jobs "
        + (left > 1 ? "are" : "is")
        + " left";
  }

  private static String dead(JobFacts.AwaitedBatch batch) {
    if (batch.dead() == 0) {
      return "";
    }
    return ", "
        + count(batch.dead())
        + (batch.dead() == 1 ? " is dead" : " are dead")
        + some(batch.deadJobs().stream().map(JobId::toString).toList(), batch.dead());
  }

  String neverStarts(long atMs) {
    return "will not run: its time to live ends at " + future(atMs) + ", before its wait does";
  }

  String expires(long atMs) {
    return atMs > nowMs
        ? "is removed at " + future(atMs) + " unless it is started before: its time to live ends"
        : "is about to be removed: its time to live ended at " + past(atMs);
  }

  String refuses(EngineFacts.Refusal refusal) {
    String since = instant(refusal.sinceMs());
    EngineHealth.Status status = refusal.status();
    return switch (status) {
      case FULL ->
          "its store has been full since "
              + since
              + ": what adds to it is refused, and claims are served as far as there is room";
      case POISONED ->
          "its engine has taken no changes since "
              + since
              + ", until it is reopened: "
              + line(refusal.reason());
      case NOT_OWNER ->
          "its engine has taken no changes since " + since + ": " + line(refusal.reason());
      case CLOSED, UP -> "its engine is being closed";
    };
  }

  String silent(long waitedMs) {
    return "its engine did not answer within "
        + span(waitedMs)
        + ", so that its store may be stalled; who claims, and who holds leases that are not stored"
        + " yet, is not told";
  }

  String noEngine() {
    return "its store is looked at without an engine: who claims, and who holds leases that are not"
        + " stored yet, is not told";
  }

  String paused() {
    return "its queue is paused";
  }

  String tooHeavy(int weight, int capacity, int free) {
    return free == 0
        ? "weighs " + weight + ", and no worker that waits takes more than " + capacity
        : "weighs " + weight + ", and no worker that waits has more than " + free + " free";
  }

  String keyTaken(JobFacts.Key key, List<Holder> holders) {
    boolean isOne = key.holderCount() == 1;
    String held =
        "is blocked by its concurrency key \""
            + line(key.name())
            + (key.isOfEngine() ? "\" of the engine: " : "\": ")
            + (isOne ? "1 job of it " : count(key.holderCount()) + " jobs of it ")
            + (holders.stream().anyMatch(Sentences::isWaiting)
                ? (isOne ? "has" : "have") + " begun"
                : (isOne ? "is" : "are") + " ready or running")
            + named(holders, key.holderCount());
    return held + limit(key) + "; " + place(key.ahead());
  }

  /**
   * Says how many jobs may hold the key. Of a key of the engine, those before the job may bring a
   * lower limit than it does.
   */
  private static String limit(JobFacts.Key key) {
    if (key.holderCount() >= key.limit()) {
      return ", as many as may be";
    }
    return key.isOfEngine() && key.ahead().count() > 0
        ? ", fewer than its " + count(key.limit()) + ", but those before it go first"
        : ", and " + count(key.limit()) + " may be: a slot is about to be handed on";
  }

  private static String named(List<Holder> holders, long holderCount) {
    return some(
        holders.stream()
            .limit(NAMED_JOBS_MAX)
            .map(holder -> holder.jobId() + " " + does(holder))
            .toList(),
        holderCount);
  }

  /** Returns the first jobs in brackets, and how many there are more; nothing if none is known. */
  private static String some(List<String> jobs, long count) {
    if (jobs.isEmpty()) {
      return "";
    }
    String some = jobs.stream().limit(NAMED_JOBS_MAX).collect(Collectors.joining(", "));
    long others = count - Math.min(NAMED_JOBS_MAX, jobs.size());
    return " (" + some + (others > 0 ? ", and " + count(others) + " more" : "") + ")";
  }

  private static boolean isWaiting(Holder holder) {
    return holder.state() != JobState.READY && holder.state() != JobState.LEASED;
  }

  private static String does(Holder holder) {
    return switch (holder.state()) {
      case LEASED -> "runs";
      case DELAYED -> "waits for its next attempt";
      case WAITING -> "waits for a signal or a batch";
      case READY -> "is ready";
      case BLOCKED, DEAD, DONE ->
          throw new IllegalArgumentException("job holds no slot: state=" + holder.state());
    };
  }

  private static String place(Ahead ahead) {
    return ahead.count() == 0 && ahead.isExact()
        ? "it is the next of the key"
        : before(ahead, " of the key");
  }

  String rateLimited(EngineFacts.Tokens tokens) {
    String jobs =
        switch (tokens.owner()) {
          case QUEUE -> "jobs of its queue";
          case CONCURRENCY_KEY -> "jobs of its concurrency key";
          case ENGINE -> "jobs of its rate key, in all queues,";
        };
    return "as many "
        + jobs
        + " were started as its rate limit allows: the next may start at "
        + future(tokens.untilMs());
  }

  String queueLeased(String worker, long untilMs) {
    return "its queue is leased as a whole by "
        + line(worker)
        + " until "
        + (untilMs > nowMs ? future(untilMs) : past(untilMs))
        + ": only claims through that lease are served";
  }

  String leasesUsedUp(int limit) {
    return "its engine holds as many leases as it may: " + count(limit);
  }

  String behind(Ahead ahead) {
    return "is in line: " + before(ahead, "");
  }

  private static String before(Ahead ahead, String which) {
    boolean isOne = ahead.count() == 1 && ahead.isExact();
    return (ahead.isExact() ? "" : "at least ")
        + count(ahead.count())
        + (isOne ? " job" + which + " is before it" : " jobs" + which + " are before it");
  }

  String noClaims(long lastMs) {
    return "no claim waits for jobs of its queue; "
        + (lastMs == 0 ? "none is known of lately" : "the last one was made at " + past(lastMs));
  }

  String workersBusy(long lastMs) {
    return "the workers that serve its queue have no room for more"
        + (lastMs == 0 ? "" : "; the last claim was made at " + past(lastMs));
  }

  String servedNext() {
    return "claims wait for its queue, and may take it with the engine's next step";
  }

  private static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  private String future(long ms) {
    return instant(ms) + " (in " + span(ms - nowMs) + ")";
  }

  private String past(long ms) {
    return instant(ms) + " (" + span(nowMs - ms) + " ago)";
  }

  private static String instant(long ms) {
    return Instant.ofEpochMilli(ms).toString();
  }

  /**
   * Returns a length of time as {@code 250 ms}, {@code 12 s}, {@code 3 min 5 s}, {@code 2 h 10 min}
   * or {@code 4 d 7 h}.
   */
  static String span(long ms) {
    Duration span = Duration.ofMillis(Math.max(0, ms));
    if (ms < 1_000) {
      return Math.max(0, ms) + " ms";
    }
    if (span.toMinutes() == 0) {
      return span.toSeconds() + " s";
    }
    if (span.toHours() == 0) {
      return two(span.toMinutes(), "min", span.toSecondsPart(), "s");
    }
    if (span.toDays() == 0) {
      return two(span.toHours(), "h", span.toMinutesPart(), "min");
    }
    return two(span.toDays(), "d", span.toHoursPart(), "h");
  }

  private static String two(long large, String largeUnit, int small, String smallUnit) {
    return large + " " + largeUnit + (small == 0 ? "" : " " + small + " " + smallUnit);
  }

  /** Returns as much of a user's text as fits into a line. */
  static String line(@Nullable String text) {
    if (text == null) {
      return "";
    }
    StringBuilder line = new StringBuilder();
    int[] points = text.strip().codePoints().takeWhile(point -> !isLineEnd(point)).toArray();
    for (int i = 0; i < points.length; i++) {
      if (i == TEXT_LENGTH_MAX) {
        return line.toString().strip() + '\u2026';
      }
      line.appendCodePoint(isPlain(points[i]) ? points[i] : ' ');
    }
    return line.toString().strip();
  }

  private static boolean isLineEnd(int point) {
    return point == '\n' || point == '\r' || point == '\u2028' || point == '\u2029';
  }

  /**
   * Tells whether a character may be shown as it is: not if it controls a terminal, or turns the
   * direction of its text.
   */
  private static boolean isPlain(int point) {
    int type = Character.getType(point);
    return type != Character.CONTROL && type != Character.FORMAT && type != Character.SURROGATE;
  }
}
