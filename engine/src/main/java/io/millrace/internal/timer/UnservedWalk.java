package io.millrace.internal.timer;

import io.millrace.api.QueueName;
import io.millrace.internal.commit.DueWork;
import io.millrace.internal.state.LogText;
import io.millrace.internal.state.UnservedQueues;
import io.millrace.internal.state.UnservedQueues.Shown;
import io.millrace.internal.transition.due.FindUnserved;
import io.millrace.tables.ReservedTables;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A walk over queues with ready jobs that nobody claims: they are told in the engine's health for
 * as long as it is so, and in the log when it begins and when it is over.
 *
 * <p>It walks over the queues in steps with rests between them, so that it takes the loop next to
 * no time however many there are, and only when something has changed.
 */
public final class UnservedWalk implements DueWork {

  private static final Logger LOG = LoggerFactory.getLogger(UnservedWalk.class);

  /** The rest between two walks, and between the opening and the first walk. */
  private static final long REST_MS = 10_000;

  private static final long STEP_REST_MS = 250;

  /** The time within which a queue is told of once: it may be claimed from now and then. */
  private static final long TOLD_AGAIN_MS = 3_600_000;

  private static final int TOLD_COUNT_MAX = 1_000;

  private final UnservedQueues unserved;
  private final Map<QueueName, Long> toldAtMs = new LinkedHashMap<>();
  private boolean isOpened;
  private boolean isUnderWay;
  private byte @Nullable [] from;
  private long restUntilMs;
  private boolean isTold;

  public UnservedWalk(UnservedQueues unserved) {
    this.unserved = unserved;
  }

  @Override
  public long waitNs(DueTime now) {
    if (!isOpened) {
      isOpened = true;
      restUntilMs = now.steadyMs() + REST_MS;
    }
    return isOverUntold() ? 0 : walkWaitNs(now);
  }

  private boolean isOverUntold() {
    return isTold && unserved.shown().count() == 0;
  }

  private long walkWaitNs(DueTime now) {
    long atMs = isUnderWay ? restUntilMs : Math.max(restUntilMs, unserved.walkAtMs());
    return atMs == UnservedQueues.NEVER ? NEVER : now.steadyWaitNs(atMs);
  }

  @Override
  public void step(DueTime now, Steps steps) {
    if (isOverUntold()) {
      isTold = false;
      LOG.info("jobs that nobody claimed are claimed by now, or gone");
    }
    if (walkWaitNs(now) <= 0) {
      walk(now.steadyMs(), steps);
    }
  }

  private void walk(long nowMs, Steps steps) {
    if (!isUnderWay) {
      unserved.beginWalk();
      isUnderWay = true;
    }
    FindUnserved.Step step = steps.apply(FindUnserved.from(from));
    unserved.found(step.queues(), nowMs);
    from = step.next();
    isUnderWay = from != null;
    restUntilMs = nowMs + (isUnderWay ? STEP_REST_MS : REST_MS);
    if (!isUnderWay) {
      tell(unserved.endWalk(nowMs), nowMs);
    }
  }

  private void tell(List<QueueName> begun, long nowMs) {
    boolean isNews = false;
    for (QueueName queue : begun) {
      @Nullable Long atMs = toldAtMs.remove(queue);
      boolean isKnown = atMs != null && nowMs - atMs < TOLD_AGAIN_MS;
      toldAtMs.put(queue, isKnown ? atMs : (Long) nowMs);
      isNews |= !isKnown;
    }
    toldAtMs.keySet().removeAll(oldest());
    if (isNews) {
      isTold = true;
      warning().ifPresent(LOG::warn);
    }
  }

  private List<QueueName> oldest() {
    int tooMany = Math.max(0, toldAtMs.size() - TOLD_COUNT_MAX);
    return toldAtMs.keySet().stream().limit(tooMany).toList();
  }

  @Override
  public void restart() {
    isUnderWay = false;
    from = null;
    unserved.restart();
  }

  /**
   * Begins anew: the minute of queues that nobody could claim from, and that are not told of yet,
   * begins now.
   */
  @Override
  public void reopened() {
    restart();
    unserved.beginAnew();
  }

  @Override
  public Optional<String> warning() {
    Shown shown = unserved.shown();
    return shown.count() == 0 ? Optional.empty() : Optional.of(sentence(shown));
  }

  private static String sentence(Shown shown) {
    String more = shown.count() > shown.first().size() ? ", and others" : "";
    boolean isOfSchedules = shown.first().contains(QueueName.of(ReservedTables.SCHEDULES));
    return "jobs are ready and nobody claims them: queues="
        + LogText.oneLine(shown.first().toString())
        + more
        + ", count="
        + (shown.isMore() ? "more than " : "")
        + shown.count()
        + "; run a worker that has handlers for their types, for all tenants perhaps"
        + (isOfSchedules ? ", and one that makes the jobs of schedules" : "")
        + ", or pause or delete the queues";
  }
}
