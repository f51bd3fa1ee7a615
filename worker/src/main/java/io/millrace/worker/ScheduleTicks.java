package io.millrace.worker;

import io.millrace.api.Backoff;
import io.millrace.api.Codec;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueRefusedException;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.Limits;
import io.millrace.api.Table;
import io.millrace.api.Transaction;
import io.millrace.engine.noted.Noted;
import io.millrace.engine.noted.Troubles;
import io.millrace.spi.StoreFullException;
import io.millrace.tables.ReservedTables;
import io.millrace.worker.Schedule.Overlap;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Makes the jobs of schedules when their instants come. Any thread.
 *
 * <p>Each schedule that is not paused has one <em>tick job</em>, which is delayed until the
 * schedule's next instant and names the schedule. The row of the schedule names the tick job. So
 * the engine's own delayed jobs are the clock: nobody polls, and schedules cost nothing until they
 * are due.
 *
 * <p>A tick is one transaction. It ends the tick job, enqueues what is due, enqueues a new tick job
 * for the instant after that, and puts the row with the instants that have had their turn. It is
 * guarded by the lease of the tick job and by the row as it was read. So whatever crashes, and
 * however often a tick is begun, an instant has its turn once. A tick job that the row does not
 * name is from before a change: it ends, and does nothing.
 */
final class ScheduleTicks {

  private static final Logger LOG = LoggerFactory.getLogger(ScheduleTicks.class);

  /** The table of schedules, by name. */
  static final String TABLE = ReservedTables.SCHEDULES;

  /**
   * Tick jobs: in line before all else that a worker serves, and tried very often before they are
   * dead.
   */
  static final JobType<String> TICK =
      JobType.of("millrace.schedules", Codec.TEXT)
          .defaults(
              options ->
                  options
                      .priority(Byte.MAX_VALUE)
                      .maxAttempts(Limits.MAX_ATTEMPTS_MAX)
                      .backoff(
                          new Backoff.Exponential(
                              Duration.ofSeconds(1), 2, Duration.ofMinutes(5), 0.2)));

  /** The time that a tick waits whose queue takes no jobs, or whose store is full. */
  private static final Duration REFUSED_PAUSE = Duration.ofSeconds(10);

  /**
   * The time that a tick waits whose schedule cannot be read here: another process may be able to.
   */
  private static final Duration UNREADABLE_PAUSE = Duration.ofMinutes(1);

  private final JobQueues queues;
  private final Table<String, ScheduleRow> table;
  private final Optional<Troubles> troubles;

  /** Completes the tick job together with effects, as {@link HandlerContext#completeWith} does. */
  @FunctionalInterface
  interface Completion {
    List<JobId> completeWith(Function<Transaction, List<JobId>> effects);
  }

  ScheduleTicks(JobQueues queues) {
    this.queues = queues;
    this.troubles = Noted.troublesOf(queues);
    this.table = queues.table(TABLE, Codec.TEXT, new StoredScheduleCodec());
  }

  Table<String, ScheduleRow> table() {
    return table;
  }

  /** Handles a tick job, for a worker. */
  Next handle(String name, HandlerContext job) {
    return run(name, job.jobId(), job::completeWith);
  }

  /**
   * Carries out a tick of the schedule, for this tick job. If the queue does not take all jobs that
   * are due, the older half of them is tried, and so on; the others are due at once for the next
   * tick. So however many are due, the schedule goes on as soon as there is room for one job.
   */
  Next run(String name, JobId tick, Completion job) {
    int most = Schedule.MISSED_COUNT_MAX;
    while (true) {
      Turn turn = new Turn(name, tick, most);
      try {
        job.completeWith(turn::take);
        over(name);
        return Next.done();
      } catch (UnreadableException e) {
        return pause(name, UNREADABLE_PAUSE, "it cannot be read here", e);
      } catch (StoreFullException e) {
        return pause(name, REFUSED_PAUSE, "the store is full", e);
      } catch (EnqueueRefusedException e) {
        if (turn.madeCount <= 1) {
          return pause(name, REFUSED_PAUSE, "its queue takes none", e);
        }
        most = turn.madeCount / 2;
      }
    }
  }

  /** Reports that the trouble is over which held the schedule up. */
  void over(String name) {
    troubles.ifPresent(it -> it.over(topic(name)));
  }

  private static String topic(String name) {
    return "schedule " + name;
  }

  private Next pause(String name, Duration pause, String what, RuntimeException why) {
    String told = "schedule makes no jobs: name=%s, %s: %s".formatted(name, what, why.getMessage());
    boolean isKnown = troubles.filter(it -> !it.tell(topic(name), told)).isPresent();
    LOG.atLevel(isKnown ? Level.DEBUG : Level.WARN).log("{}; tried again in {}", told, pause);
    return Next.snooze(pause);
  }

  /** The failure of a tick whose schedule cannot be read. */
  private static final class UnreadableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnreadableException(String reason) {
      super(reason);
    }
  }

  /**
   * Tells whether the row waits for this tick job; any tick job may be the one if the row's state
   * cannot be read.
   */
  private static boolean isTickOf(ScheduleRow row, JobId tick) {
    return row.unreadable().filter(it -> !it.isWhole()).isPresent()
        || row.tick().equals(Optional.of(tick));
  }

  /** The work of a tick in one transaction. */
  private final class Turn {

    private final String name;
    private final JobId tick;
    private final int most;

    /** The number of jobs that the last call of {@link #take(Transaction)} made. */
    private int madeCount;

    Turn(String name, JobId tick, int most) {
      this.name = name;
      this.tick = tick;
      this.most = most;
    }

    /** Does what is due; returns the jobs that were made. */
    List<JobId> take(Transaction tx) {
      Optional<ScheduleRow> row = tx.get(table, name);
      if (row.isEmpty() || !isTickOf(row.get(), tick)) {
        return List.of();
      }
      if (row.get().unreadable().isPresent()) {
        throw new UnreadableException(row.get().unreadable().get().reason());
      }
      return take(tx, row.get(), queues.now().toEpochMilli());
    }

    private List<JobId> take(Transaction tx, ScheduleRow row, long nowMs) {
      SchedulePlan plan = row.plan();
      long fromMs = row.next().orElse(nowMs) - 1;
      List<Long> come = new ArrayList<>(plan.times().newestMs(fromMs, nowMs, plan.dueMost()));
      come.removeIf(row.state().had()::has);
      List<Long> due = plan.dueOf(come, nowMs);
      int count = Math.min(due.size(), Math.min(most, plan.stepCountMax()));
      boolean isHeldUp = count > 0 && plan.overlap() == Overlap.SKIP && isBusy(row);
      List<Long> taken = isHeldUp ? List.of() : due.subList(0, count);
      madeCount = taken.size();
      List<JobId> made = taken.stream().map(instant -> plan.enqueueFor(tx, name, instant)).toList();
      boolean isLeft = count < due.size();
      List<Long> turned = isLeft ? due.subList(0, count) : come;
      ScheduleRow passed = turned.isEmpty() ? row : row.passed(turned, nowMs);
      ScheduleRow told = made.isEmpty() ? passed : passed.withLastJob(made.get(made.size() - 1));
      long nextMs = isLeft ? due.get(count) : told.nextAfter(nowMs);
      tx.put(table, name, waitFor(tx, name, told, nextMs));
      return made;
    }
  }

  /**
   * Tells whether the job that was made last, for an instant or on demand, has not ended. The job
   * is looked up and not guarded: it may end at this moment, and then the instant is passed over as
   * if the tick had come a moment earlier. A job that has ended does not begin again, unless
   * somebody redrives it.
   */
  private boolean isBusy(ScheduleRow row) {
    return row.lastJob().filter(this::isUnfinished).isPresent()
        || row.extraJob().filter(this::isUnfinished).isPresent();
  }

  private boolean isUnfinished(JobId id) {
    Optional<Job> job = queues.get(id);
    return job.isPresent() && isUnfinished(job.get().state());
  }

  private static boolean isUnfinished(JobState state) {
    return state != JobState.DEAD && state != JobState.DONE;
  }

  /**
   * Returns the row with a new tick job, if the one that it names will not come any more, since
   * somebody has cancelled it or purged its queue. The row's instant stays, and is due if it has
   * come. A tick job that would come too late is replaced as well.
   */
  ScheduleRow withTick(Transaction tx, String name, ScheduleRow row) {
    if (row.unreadable().isPresent() || row.isPaused()) {
      return row;
    }
    long nowMs = queues.now().toEpochMilli();
    if (row.isTooLate(nowMs)) {
      row.tick().ifPresent(tx::cancel);
      return waitFor(tx, name, row, row.nextAfter(nowMs));
    }
    boolean isThere = row.tick().filter(this::isUnfinished).isPresent();
    return isThere ? row : waitFor(tx, name, row, row.next().orElseGet(() -> row.nextAfter(nowMs)));
  }

  /** Returns the row with its next instant, and with a new tick job that waits for it. */
  ScheduleRow waitFor(Transaction tx, String name, ScheduleRow row, long nextMs) {
    EnqueueOptions options = TICK.options().visibleAt(Instant.ofEpochMilli(nextMs));
    JobId tick = tx.enqueue(TICK.queueName(), TICK.codec().encode(name), options);
    return row.waiting(nextMs, tick);
  }
}
