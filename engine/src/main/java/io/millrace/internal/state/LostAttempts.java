package io.millrace.internal.state;

import io.millrace.api.JobId;
import io.millrace.api.QueueName;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Attempts that ended with their leases, for the log: the workers that would have told of them may
 * be no more.
 *
 * <p>The attempts that the batch under way ends are told when the batch is in the store, and
 * forgotten if it never happens. The first of each kind (whether the job died, its type, why the
 * lease ended) has a line of its own. The others that come within {@value #FOLD_MS} ms of it are
 * counted, and after that time their count is a line. Of more than {@value #KINDS_MAX} kinds at a
 * time the rest are counted as one. Times are steady time. Belongs to the commit loop.
 */
public final class LostAttempts {

  /** A time that never comes. */
  public static final long NEVER = Long.MAX_VALUE;

  static final long FOLD_MS = 60_000;
  static final int KINDS_MAX = 200;

  private static final long SECOND_MS = 1_000;

  /** The attempts that the batch under way ends. */
  private final List<Lost> underWay = new ArrayList<>();

  /** The latest attempts by kind, in the order in which the kinds began. */
  private final Map<Kind, Folded> kinds = new LinkedHashMap<>();

  private int untoldCount;
  private long unnamedCount;
  private long unnamedSinceMs;

  LostAttempts() {}

  /** A kind of attempts, whose lines are folded into one. */
  private record Kind(boolean isDead, String type, String reason) {

    String sentence() {
      return (isDead ? "job died: " : "attempt was lost, and the job is tried again: ") + reason;
    }
  }

  /**
   * An attempt that ended with its lease.
   *
   * @param isDead whether it was the job's last
   * @param reason why the lease ended, in words
   * @param atMs steady time
   */
  public record Lost(
      QueueName queue,
      LeaseEntry lease,
      int maxAttempts,
      boolean isDead,
      String reason,
      long atMs) {}

  /**
   * A line for the log.
   *
   * @param isWarning whether a job died, or whether jobs may have died among many that cannot be
   *     told one by one
   */
  public record Line(boolean isWarning, String text) {}

  /** The attempts of one kind within the time in which they are folded. */
  private static final class Folded {
    private final long sinceMs;
    private @Nullable String first;
    private @Nullable JobId last;
    private long count;

    private Folded(long sinceMs, String first) {
      this.sinceMs = sinceMs;
      this.first = first;
    }
  }

  /** Adds an attempt that the batch under way ends. */
  public void lost(Lost attempt) {
    underWay.add(attempt);
  }

  void beginBatch() {
    underWay.clear();
  }

  void commitBatch() {
    if (!underWay.isEmpty()) {
      underWay.forEach(this::fold);
      underWay.clear();
    }
  }

  private void fold(Lost attempt) {
    LeaseEntry lease = attempt.lease();
    String type = lease.type() == null ? attempt.queue().name() : lease.type();
    Kind kind = new Kind(attempt.isDead(), type, attempt.reason());
    Folded folded = kinds.get(kind);
    if (folded != null) {
      folded.count++;
      folded.last = lease.jobId();
    } else if (kinds.size() < KINDS_MAX) {
      kinds.put(kind, new Folded(attempt.atMs(), text(kind, attempt)));
      untoldCount++;
    } else if (unnamedCount++ == 0) {
      unnamedSinceMs = attempt.atMs();
    }
  }

  private static String text(Kind kind, Lost attempt) {
    LeaseEntry lease = attempt.lease();
    return oneLine(
        Locale.ROOT,
        "%s: queue=%s, type=%s, job=%s, worker=%s, attempt=%d/%d",
        kind.sentence(),
        attempt.queue(),
        kind.type(),
        lease.jobId(),
        lease.worker(),
        lease.attempt(),
        attempt.maxAttempts());
  }

  /**
   * Returns the message as one line, whatever the names in it hold: a name must not forge other
   * lines.
   */
  private static String oneLine(Locale locale, String format, Object... facts) {
    return LogText.oneLine(String.format(locale, format, facts));
  }

  /** Returns when there is something to be written: 0 for at once, {@link #NEVER} for nothing. */
  public long dueAtMs() {
    if (untoldCount > 0) {
      return 0;
    }
    long firstMs = kinds.isEmpty() ? NEVER : kinds.values().iterator().next().sinceMs + FOLD_MS;
    return unnamedCount == 0 ? firstMs : Math.min(firstMs, unnamedSinceMs + FOLD_MS);
  }

  /** Returns the lines that are to be written by now, and forgets them. */
  public List<Line> takeDue(long nowMs) {
    return take(nowMs, nowMs - FOLD_MS);
  }

  /** Returns all lines that are not written yet, and forgets them: no more attempts come. */
  public List<Line> takeAll(long nowMs) {
    return take(nowMs, NEVER);
  }

  /**
   * Takes the lines that were not written yet, and the counts that began at the given time or
   * before.
   */
  private List<Line> take(long nowMs, long sinceMs) {
    List<Line> lines = new ArrayList<>();
    Iterator<Map.Entry<Kind, Folded>> all = kinds.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<Kind, Folded> each = all.next();
      Kind kind = each.getKey();
      Folded folded = each.getValue();
      if (folded.first != null) {
        lines.add(new Line(kind.isDead(), folded.first));
        folded.first = null;
      }
      if (folded.sinceMs <= sinceMs) {
        all.remove();
        if (folded.last != null) {
          lines.add(new Line(kind.isDead(), others(kind, folded, folded.last, nowMs)));
        }
      }
    }
    untoldCount = 0;
    if (unnamedCount > 0 && unnamedSinceMs <= sinceMs) {
      lines.add(
          new Line(
              true,
              oneLine(
                  Locale.ROOT,
                  "and %,d attempts that ended with their leases, of too many kinds to be told",
                  unnamedCount)));
      unnamedCount = 0;
    }
    return lines;
  }

  private static String others(Kind kind, Folded folded, JobId last, long nowMs) {
    return oneLine(
        Locale.ROOT,
        "and %,d like it within %d s: %s: type=%s, last=%s",
        folded.count,
        Math.max(1, (nowMs - folded.sinceMs) / SECOND_MS),
        kind.sentence(),
        kind.type(),
        last);
  }
}
