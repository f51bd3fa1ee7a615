package io.millrace.worker;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import org.jspecify.annotations.Nullable;

/**
 * The instants at which clocks in a zone show the times that a cron expression names.
 *
 * <p>When clocks are put forward, some local times do not come; when they are put back, some come
 * twice. An expression that names times in <em>every</em> hour of the day goes by what clocks show:
 * a time that does not come is passed over, and one that comes twice is run twice, so that a job of
 * every minute or hour is neither late nor run for nothing. Any other expression is about times of
 * the day, each of which comes once a day. A time that comes twice is run when it comes first. All
 * times that do not come are run once together, at the moment when clocks are put forward.
 *
 * <p>Between two changes of the zone's offset none of this matters, so each such stretch is
 * searched by itself.
 */
record CronTimes(CronExpression expression, ZoneId zone) implements Recurrence {

  private static final long SECOND_MS = 1_000;

  @Override
  public Recurrence beginningAt(long ms) {
    return this;
  }

  @Override
  public long nextMs(long afterMs) {
    ZoneRules rules = zone.getRules();
    long second = Math.floorDiv(afterMs, SECOND_MS) + 1;
    while (true) {
      Instant from = Instant.ofEpochSecond(second);
      ZoneOffsetTransition begun = rules.previousTransition(from.plusNanos(1));
      if (begun != null && begun.toEpochSecond() == second && isRunAtEndOfGap(begun)) {
        return second * SECOND_MS;
      }
      ZoneOffset offset = rules.getOffset(from);
      LocalDateTime named = expression.nextFrom(firstNew(from, offset, begun));
      if (named == null) {
        throw new IllegalStateException(
            "cron expression has no more instants: expression=\"" + expression + "\", at=" + from);
      }
      ZoneOffsetTransition coming = rules.nextTransition(from);
      long found = named.toEpochSecond(offset);
      if (coming == null || found < coming.toEpochSecond()) {
        return found * SECOND_MS;
      }
      second = coming.toEpochSecond();
    }
  }

  /** Tells whether a run at this change makes up for named times that the change leaves out. */
  private boolean isRunAtEndOfGap(ZoneOffsetTransition change) {
    if (!change.isGap() || expression.isOfEveryHour()) {
      return false;
    }
    LocalDateTime named = expression.nextFrom(change.getDateTimeBefore());
    return named != null && named.isBefore(change.getDateTimeAfter());
  }

  /**
   * Returns the local time from which to search. Times that clocks show for the second time are
   * left out, unless the expression counts them.
   */
  private LocalDateTime firstNew(
      Instant from, ZoneOffset offset, @Nullable ZoneOffsetTransition begun) {
    LocalDateTime local = LocalDateTime.ofEpochSecond(from.getEpochSecond(), 0, offset);
    boolean isRepeated =
        begun != null && begun.isOverlap() && local.isBefore(begun.getDateTimeBefore());
    return begun != null && isRepeated && !expression.isOfEveryHour()
        ? begun.getDateTimeBefore()
        : local;
  }

  @Override
  public String toString() {
    return "cron \"" + expression + "\" in " + zone;
  }
}
