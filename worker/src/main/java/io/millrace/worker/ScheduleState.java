package io.millrace.worker;

import io.millrace.api.JobId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The state of a schedule: how far its plan is carried out. Immutable.
 *
 * <p>Invariant: the state of a schedule that is not paused names its next instant and the tick job
 * that waits for it. The state of a paused one names neither.
 *
 * @param owner the owner that declared the schedule; empty if none did
 * @param next the instant that is waited for
 * @param tick the job that waits for it
 * @param last the instant that had its turn last, whether a job was made or not
 * @param had all instants that had their turn
 * @param lastJob the job that was made last for an instant
 * @param extraJob the job that was made last on demand
 */
record ScheduleState(
    Optional<String> owner,
    Optional<Long> next,
    Optional<JobId> tick,
    Optional<Long> last,
    InstantRuns had,
    Optional<JobId> lastJob,
    Optional<JobId> extraJob) {

  private static final int OWNER = 16;
  private static final int NEXT = 17;
  private static final int TICK = 18;
  private static final int LAST = 19;
  private static final int LAST_JOB = 20;
  private static final int EXTRA_JOB = 21;
  private static final int RUNS = 22;
  private static final int RUN_BYTES = 2 * Long.BYTES;

  /** The state of a schedule that has done nothing yet, and does not run. */
  static final ScheduleState NONE =
      new ScheduleState(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          InstantRuns.NONE,
          Optional.empty(),
          Optional.empty());

  /** Tells whether a field of a row belongs to the state. */
  static boolean isKnown(int tag) {
    return tag >= OWNER && tag <= RUNS;
  }

  void write(FieldWriter out) {
    owner.ifPresent(value -> out.text(OWNER, value));
    next.ifPresent(value -> out.number(NEXT, value));
    tick.ifPresent(value -> out.text(TICK, value.toString()));
    last.ifPresent(value -> out.number(LAST, value));
    lastJob.ifPresent(value -> out.text(LAST_JOB, value.toString()));
    extraJob.ifPresent(value -> out.text(EXTRA_JOB, value.toString()));
    if (last.isPresent() && !had.isUpTo(last.get())) {
      ByteBuffer runs = ByteBuffer.allocate(had.runs().size() * RUN_BYTES);
      had.runs().forEach(run -> runs.putLong(run.firstMs()).putLong(run.lastMs()));
      out.bytes(RUNS, runs.array());
    }
  }

  /** Returns this state with the field that the reader is at. */
  ScheduleState read(FieldReader in) {
    return switch (in.tag()) {
      case OWNER -> ownedBy(in.text());
      case NEXT ->
          new ScheduleState(owner, Optional.of(in.instantMs()), tick, last, had, lastJob, extraJob);
      case TICK -> new ScheduleState(owner, next, id(in), last, had, lastJob, extraJob);
      case LAST -> passed(in.instantMs());
      case LAST_JOB -> new ScheduleState(owner, next, tick, last, had, id(in), extraJob);
      case EXTRA_JOB -> new ScheduleState(owner, next, tick, last, had, lastJob, id(in));
      case RUNS -> new ScheduleState(owner, next, tick, last, runs(in), lastJob, extraJob);
      default -> throw in.unknown();
    };
  }

  private static InstantRuns runs(FieldReader in) {
    ByteBuffer bytes = ByteBuffer.wrap(in.bytes());
    if (bytes.remaining() % RUN_BYTES != 0) {
      throw in.flaw("instants are not pairs of numbers: length=" + bytes.remaining());
    }
    List<InstantRuns.Run> runs = new ArrayList<>();
    while (bytes.hasRemaining()) {
      runs.add(new InstantRuns.Run(bytes.getLong(), bytes.getLong()));
    }
    return new InstantRuns(runs);
  }

  private static Optional<JobId> id(FieldReader in) {
    return Optional.of(JobId.parse(in.text()));
  }

  ScheduleState ownedBy(String value) {
    return new ScheduleState(Optional.of(value), next, tick, last, had, lastJob, extraJob);
  }

  /** Returns this state as it waits for the instant with this tick job. */
  ScheduleState waiting(long nextMs, JobId tickJob) {
    return new ScheduleState(
        owner, Optional.of(nextMs), Optional.of(tickJob), last, had, lastJob, extraJob);
  }

  ScheduleState paused() {
    return new ScheduleState(
        owner, Optional.empty(), Optional.empty(), last, had, lastJob, extraJob);
  }

  /** Returns this state with all instants up to this one having had their turn. */
  ScheduleState passed(long lastMs) {
    return passed(lastMs, InstantRuns.upTo(lastMs));
  }

  /** Returns this state with these instants having had their turn, the last of them now. */
  ScheduleState passed(long lastMs, InstantRuns hadTurn) {
    return new ScheduleState(owner, next, tick, Optional.of(lastMs), hadTurn, lastJob, extraJob);
  }

  ScheduleState withLastJob(JobId job) {
    return new ScheduleState(owner, next, tick, last, had, Optional.of(job), extraJob);
  }

  ScheduleState withExtraJob(JobId job) {
    return new ScheduleState(owner, next, tick, last, had, lastJob, Optional.of(job));
  }
}
