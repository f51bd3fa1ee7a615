package io.millrace.internal.state;

import io.millrace.api.JobId;
import io.millrace.api.QueueName;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Attempts that ended with their leases, for the log: the worker that would have told of them may
 * be no more.
 *
 * <p>What the batch under way ends is told when that is in the store, and forgotten if it never
 * happens. The first of each kind (whether the job died, its type, why the lease ended) has a line;
 * the others that come within {@value #FOLD_MS} ms of it are counted, and when that is over their
 * count is a line. Of more than {@value #KINDS_MAX} kinds at a time the rest are counted as one.
 * Times are steady time. Belongs to the commit loop.
 */
public final class LostAttempts {

  /** A time that never comes. */
  public static final long NEVER = Long.MAX_VALUE;

  static final long FOLD_MS = 60_000;
  static final int KINDS_MAX = 200;

  private static final long SECOND_MS = 1_000;

  /** What would begin a line of its own, or paint a terminal. */
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}\\u2028\\u2029]");

  /** Of the batch under way. */
  private final List<Lost> underWay = new ArrayList<>();

  /** Those that began first come first. */
  private final Map<Kind, Folded> kinds = new LinkedHashMap<>();

  private int untoldCount;
  private long unnamedCount;
  private long unnamedSinceMs;

  LostAttempts() {}

  /** Lines of one kind are told as one. */
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
   * @param isWarning whether a job died, or many that cannot be told one by one may have
   */
  public record Line(boolean isWarning, String text) {}

  /** What came of one kind lately. */
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

  /** The batch under way ends this one. */
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

  /** One line, whatever the names in it have: nobody is to forge others. */
  private static String oneLine(Locale locale, String format, Object... facts) {
    return CONTROL.matcher(String.format(locale, format, facts)).replaceAll("?");
  }

  /** Answers when there is something to be written: 0 for at once, {@link #NEVER} for nothing. */
  public long dueAtMs() {
    if (untoldCount > 0) {
      return 0;
    }
    long firstMs = kinds.isEmpty() ? NEVER : kinds.values().iterator().next().sinceMs + FOLD_MS;
    return unnamedCount == 0 ? firstMs : Math.min(firstMs, unnamedSinceMs + FOLD_MS);
  }

  /** Answers what is to be written by now, and forgets it. */
  public List<Line> takeDue(long nowMs) {
    return take(nowMs, nowMs - FOLD_MS);
  }

  /** Answers all that is not written yet, and forgets it: nothing comes any more. */
  public List<Line> takeAll(long nowMs) {
    return take(nowMs, NEVER);
  }

  /** Counts are written whose time began at this one at the latest. */
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
