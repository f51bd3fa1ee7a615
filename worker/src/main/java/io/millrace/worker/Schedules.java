package io.millrace.worker;

import io.millrace.MillraceException;
import io.millrace.api.Codec;
import io.millrace.api.EnqueueRefusedException;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.JobReader;
import io.millrace.api.Limits;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.Table;
import io.millrace.api.TableRange;
import io.millrace.api.TableReader;
import io.millrace.api.TableRow;
import io.millrace.api.Transaction;
import io.millrace.api.TransactionConflictException;
import io.millrace.options.Checks;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Recurring jobs. They are stored with the queues, and outlive the process. A worker must run for
 * their jobs to be made; any worker makes them, unless it is {@linkplain
 * WorkerSetup#withoutSchedules told not to}. Any thread may use this, for as long as the queues are
 * open.
 *
 * <pre>{@code
 * Schedules.of(engine)
 *     .declare("reports", Schedule.cron("nightly", "0 3 * * *", berlin).enqueue(REPORT, "all"));
 * }</pre>
 *
 * <p>For each instant of a schedule there is at most one job, whatever stops or crashes, and
 * however clocks are set. Each method is one transaction, unless it says otherwise: it happens as a
 * whole or not at all.
 *
 * <p><b>Errors.</b> Methods that change something throw what {@link JobQueues#transact} throws, and
 * {@code orThrow()} of its result, such as {@link TransactionConflictException}; those that only
 * look throw what reads of {@link JobReader} throw. A name has 1 to {@value Limits#NAME_BYTES_MAX}
 * bytes of UTF-8; any other is refused with {@link IllegalArgumentException}.
 */
public final class Schedules {

  /** The most instants that {@link #next} returns. */
  public static final int NEXT_COUNT_MAX = 1_000;

  /** The most schedules that one transaction puts or removes: it reads their rows, however long. */
  private static final int STEP_COUNT_MAX = 100;

  /** The most bytes of schedules in one transaction that puts several. */
  private static final int STEP_BYTES_MAX = 2 << 20;

  private final JobQueues queues;
  private final ScheduleTicks ticks;
  private final Table<String, ScheduleRow> table;

  /** The result of putting a schedule. */
  public enum PutResult {
    NEW,
    CHANGED,
    /** The schedule was stored like this already, and goes on as if it had not been put. */
    UNCHANGED
  }

  private Schedules(JobQueues queues) {
    this.queues = queues;
    this.ticks = new ScheduleTicks(queues);
    this.table = ticks.table();
  }

  /** Returns the schedules that are stored with these queues. */
  public static Schedules of(JobQueues queues) {
    return new Schedules(Objects.requireNonNull(queues, "queues"));
  }

  /**
   * Stores a schedule, in place of any that has its name. An unchanged schedule keeps its next
   * instant, so that this may be called whenever a program starts. A changed one begins anew: its
   * next instant is the first of its times that is still to come. But it stays paused if it was,
   * and keeps its owner.
   *
   * @throws IllegalArgumentException the schedule has no job
   * @throws EnqueueRefusedException the queue of tick jobs takes none; nothing happened
   * @throws MillraceException as every method; see {@link Schedules}
   */
  public PutResult put(Schedule schedule) {
    Planned planned = Planned.of(schedule);
    return done(tx -> put(tx, planned, Optional.empty()));
  }

  /**
   * Stores these schedules, and removes the owner's others; see {@link #declare(String, List)}.
   *
   * @throws IllegalArgumentException as {@link #declare(String, List)}
   * @throws IllegalStateException as {@link #declare(String, List)}
   * @throws MillraceException as every method; see {@link Schedules}
   */
  public List<PutResult> declare(String owner, Schedule... schedules) {
    return declare(owner, List.of(schedules));
  }

  /**
   * Stores these schedules as {@link #put} does, and removes those that were declared under the
   * same owner before and are not among them. So the schedules of a program are those that it
   * declares when it starts. Schedules without an owner become this owner's.
   *
   * <p>A hundred are one transaction. More are several, and if this ends in the middle, the next
   * call does the rest.
   *
   * @param owner the owner, 1 to {@value Limits#NAME_BYTES_MAX} bytes of UTF-8
   * @return the result for each, in order
   * @throws IllegalArgumentException two have one name, one has no job, or the owner is out of its
   *     range or not valid Unicode; nothing was stored
   * @throws IllegalStateException another owner has declared one of the names; those before it in
   *     the order may have been stored
   * @throws MillraceException as every method, see {@link Schedules}; some of the transactions may
   *     have happened
   */
  public List<PutResult> declare(String owner, List<Schedule> schedules) {
    Checks.text("owner", owner, 1, Limits.NAME_BYTES_MAX);
    List<Planned> planned = schedules.stream().map(Planned::of).toList();
    Set<String> names = new HashSet<>();
    for (Planned each : planned) {
      if (!names.add(each.name())) {
        throw new IllegalArgumentException(
            "two schedules have one name: name=" + each.name() + "; rename one of them");
      }
    }
    List<PutResult> results = new ArrayList<>(planned.size());
    for (List<Planned> step : steps(planned)) {
      results.addAll(
          done(tx -> step.stream().map(each -> put(tx, each, Optional.of(owner))).toList()));
    }
    removeOthers(owner, names);
    return results;
  }

  /** A schedule and its plan. */
  private record Planned(String name, SchedulePlan plan, int bytes) {

    static Planned of(Schedule schedule) {
      SchedulePlan plan = Objects.requireNonNull(schedule, "schedule").plan();
      return new Planned(schedule.name(), plan, ScheduleCodec.planBytes(plan).length);
    }
  }

  private static List<List<Planned>> steps(List<Planned> all) {
    List<List<Planned>> steps = new ArrayList<>();
    List<Planned> step = new ArrayList<>();
    long bytes = 0;
    for (Planned each : all) {
      if (step.size() == STEP_COUNT_MAX || bytes + each.bytes() > STEP_BYTES_MAX) {
        steps.add(step);
        step = new ArrayList<>();
        bytes = 0;
      }
      step.add(each);
      bytes += each.bytes();
    }
    steps.add(step);
    return steps;
  }

  private PutResult put(Transaction tx, Planned planned, Optional<String> owner) {
    Optional<ScheduleRow> found = tx.get(table, planned.name());
    found.flatMap(ScheduleRow::owner).ifPresent(other -> checkOwner(planned, other, owner));
    long nowMs = queues.now().toEpochMilli();
    ScheduleRow before = found.orElseGet(() -> ScheduleRow.of(planned.plan()));
    ScheduleRow after =
        found.isPresent() && before.isAt(planned.plan().times())
            ? goingOn(tx, planned, before)
            : begun(tx, planned, before, found.isPresent() && before.isPaused(), nowMs);
    ScheduleRow owned = owner.map(after::ownedBy).orElse(after);
    if (!owned.isSameAs(before)) {
      tx.put(table, planned.name(), owned);
    }
    if (found.isEmpty()) {
      return PutResult.NEW;
    }
    boolean isUnchanged = before.unreadable().isEmpty() && after.plan().isSameAs(before.plan());
    return isUnchanged ? PutResult.UNCHANGED : PutResult.CHANGED;
  }

  /**
   * Returns the row with the new plan but with its instants, among them one that has come and had
   * no turn.
   */
  private ScheduleRow goingOn(Transaction tx, Planned planned, ScheduleRow before) {
    SchedulePlan plan = planned.plan().at(before.plan().times());
    return ticks.withTick(tx, planned.name(), before.withPlan(plan));
  }

  /** Returns the row with the new plan and its times, which begin now. */
  private ScheduleRow begun(
      Transaction tx, Planned planned, ScheduleRow before, boolean isPaused, long nowMs) {
    before.tick().ifPresent(tx::cancel);
    Recurrence times = planned.plan().times().beginningAt(nowMs);
    ScheduleRow begun = before.withPlan(planned.plan().at(times));
    return isPaused ? begun : ticks.waitFor(tx, planned.name(), begun, begun.nextAfter(nowMs));
  }

  private static void checkOwner(Planned planned, String other, Optional<String> owner) {
    if (owner.isPresent() && !owner.get().equals(other)) {
      throw new IllegalStateException(
          ("schedule was declared by another owner: name=%s, owner=%s, declared by=%s;"
                  + " rename it, or remove the other first")
              .formatted(planned.name(), other, owner.get()));
    }
  }

  /** Removes the schedules that the owner declared before and does not declare now. */
  private void removeOthers(String owner, Set<String> names) {
    List<String> found =
        Page.stream(page -> table.scan(TableRange.all(), page))
            .filter(row -> row.value().owner().equals(Optional.of(owner)))
            .map(TableRow::key)
            .filter(name -> !names.contains(name))
            .toList();
    for (int i = 0; i < found.size(); i += STEP_COUNT_MAX) {
      List<String> step = found.subList(i, Math.min(found.size(), i + STEP_COUNT_MAX));
      done(
          tx -> {
            step.forEach(name -> remove(tx, name, Optional.of(owner)));
            return step.size();
          });
      step.forEach(ticks::over);
    }
  }

  /**
   * Removes a schedule. The jobs that it has made stay.
   *
   * @return whether there was one of this name
   * @throws IllegalArgumentException the name is out of its range, or is not valid Unicode
   * @throws MillraceException as every method; see {@link Schedules}
   */
  public boolean remove(String name) {
    check(name);
    boolean isRemoved = done(tx -> remove(tx, name, Optional.empty()));
    ticks.over(name);
    return isRemoved;
  }

  private boolean remove(Transaction tx, String name, Optional<String> owner) {
    Optional<ScheduleRow> row = tx.get(table, name);
    if (row.isEmpty() || owner.isPresent() && !owner.equals(row.get().owner())) {
      return false;
    }
    row.get().tick().ifPresent(tx::cancel);
    tx.delete(table, name);
    return true;
  }

  /**
   * Lets a schedule make no more jobs until it is resumed. The jobs that it has made stay. A
   * schedule of which nothing {@linkplain ScheduleStatus#unreadable can be read} makes no jobs
   * here, and is left as it is.
   *
   * @return whether there is one of this name, paused before or not
   * @throws IllegalArgumentException the name is out of its range, or is not valid Unicode
   * @throws MillraceException as every method; see {@link Schedules}
   */
  public boolean pause(String name) {
    check(name);
    boolean isThere =
        done(
            tx -> {
              Optional<ScheduleRow> row = tx.get(table, name);
              row.filter(it -> !it.isPaused())
                  .ifPresent(
                      it -> {
                        it.tick().ifPresent(tx::cancel);
                        tx.put(table, name, it.paused());
                      });
              return row.isPresent();
            });
    ticks.over(name);
    return isThere;
  }

  /**
   * Lets a paused schedule go on with the first instant that is still to come. Instants that came
   * while it was paused are not made up for.
   *
   * @return whether there is one of this name, paused before or not
   * @throws IllegalStateException it {@linkplain ScheduleStatus#unreadable cannot be read} here
   * @throws IllegalArgumentException the name is out of its range, or is not valid Unicode
   * @throws MillraceException as every method; see {@link Schedules}
   */
  public boolean resume(String name) {
    check(name);
    return done(
        tx -> {
          Optional<ScheduleRow> row = tx.get(table, name);
          row.ifPresent(it -> tx.put(table, name, resumed(tx, name, it)));
          return row.isPresent();
        });
  }

  private ScheduleRow resumed(Transaction tx, String name, ScheduleRow row) {
    checkReadable(name, row);
    return row.isPaused()
        ? ticks.waitFor(tx, name, row, row.nextAfter(queues.now().toEpochMilli()))
        : ticks.withTick(tx, name, row);
  }

  /**
   * Enqueues a job of the schedule at once, paused or not. Its instants stay as they are, and the
   * job is for none of them; but an instant may be passed over while it has not ended ({@link
   * Schedule.Overlap#SKIP}).
   *
   * @return the job; empty if there is no schedule of this name
   * @throws EnqueueRefusedException its queue takes no job; nothing happened
   * @throws IllegalStateException it {@linkplain ScheduleStatus#unreadable cannot be read} here
   * @throws IllegalArgumentException the name is out of its range, or is not valid Unicode
   * @throws MillraceException as every method; see {@link Schedules}
   */
  public Optional<JobId> runNow(String name) {
    check(name);
    return done(
        tx -> {
          Optional<ScheduleRow> row = tx.get(table, name);
          row.ifPresent(it -> checkReadable(name, it));
          Optional<JobId> job = row.map(it -> it.plan().enqueueNow(tx));
          job.ifPresent(id -> tx.put(table, name, row.orElseThrow().withExtraJob(id)));
          return job;
        });
  }

  /**
   * Returns the next instants of a schedule; see {@link #next(JobReader, String, int)}.
   *
   * @throws IllegalArgumentException as {@link #next(JobReader, String, int)}
   * @throws IllegalStateException as {@link #next(JobReader, String, int)}
   * @throws MillraceException as every method; see {@link Schedules}
   */
  public Optional<List<Instant>> next(String name, int count) {
    return next(queues, name, count);
  }

  /**
   * Returns the next instants of a schedule, soonest first, jitter not counted; none while it is
   * paused. Changes nothing.
   *
   * @param queues the queues with which the schedules are stored
   * @param count how many, 1 to {@value #NEXT_COUNT_MAX}
   * @return the instants; empty if there is no schedule of this name
   * @throws IllegalStateException it {@linkplain ScheduleStatus#unreadable cannot be read} here
   * @throws IllegalArgumentException the name or the number is out of its range, or the name is not
   *     valid Unicode
   * @throws MillraceException as every method; see {@link Schedules}
   */
  public static Optional<List<Instant>> next(JobReader queues, String name, int count) {
    check(name);
    Checks.inRange("count", count, 1, NEXT_COUNT_MAX);
    return tableOf(queues)
        .get(name)
        .map(
            row -> {
              checkReadable(name, row);
              return next(row, count);
            });
  }

  private static List<Instant> next(ScheduleRow row, int count) {
    Recurrence times = row.plan().times();
    return row.next().stream()
        .flatMap(first -> Stream.iterate(first, times::nextMs).limit(count))
        .map(Instant::ofEpochMilli)
        .toList();
  }

  /**
   * Returns the schedule of this name.
   *
   * @throws IllegalArgumentException the name is out of its range, or is not valid Unicode
   * @throws MillraceException as every method; see {@link Schedules}
   */
  public Optional<ScheduleStatus> get(String name) {
    check(name);
    return table.get(name).map(row -> ScheduleStatus.of(name, row));
  }

  /**
   * Returns a page of all schedules, in the order of the bytes of their names; those that nobody
   * here can carry out {@linkplain ScheduleStatus#unreadable say why}.
   *
   * @throws IllegalArgumentException the cursor is not of a page of schedules
   * @throws MillraceException as every method; see {@link Schedules}
   */
  public Page<ScheduleStatus> list(PageRequest page) {
    return list(queues, page);
  }

  /**
   * Returns a page of the schedules stored with queues that are only looked at; see {@link
   * #list(PageRequest)}.
   *
   * @throws IllegalArgumentException the cursor is not of a page of schedules
   * @throws MillraceException as every method; see {@link Schedules}
   */
  public static Page<ScheduleStatus> list(JobReader queues, PageRequest page) {
    Page<TableRow<String, ScheduleRow>> rows = tableOf(queues).scan(TableRange.all(), page);
    return new Page<>(
        rows.items().stream().map(row -> ScheduleStatus.of(row.key(), row.value())).toList(),
        rows.next());
  }

  private static TableReader<String, ScheduleRow> tableOf(JobReader queues) {
    return queues.table(ScheduleTicks.TABLE, Codec.TEXT, new StoredScheduleCodec());
  }

  private static void checkReadable(String name, ScheduleRow row) {
    if (row.unreadable().isPresent()) {
      throw row.unreadable().get().refusal(name);
    }
  }

  private static void check(String name) {
    Checks.text("name", name, 1, Limits.NAME_BYTES_MAX);
  }

  private <R> R done(Function<Transaction, R> work) {
    return queues.transact(work).orThrow();
  }
}
