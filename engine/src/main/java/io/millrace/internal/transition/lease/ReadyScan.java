package io.millrace.internal.transition.lease;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Durability;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.state.ClaimSpec;
import io.millrace.internal.state.LeaseTable;
import io.millrace.internal.state.LightJobs;
import io.millrace.internal.state.PassedOver;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.ReadyJob;
import io.millrace.internal.state.ReadyWindow;
import io.millrace.internal.state.ShutKeys;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Records;
import io.millrace.spi.WriteBatch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The search along a queue's lines for the next job that a claim may have: priorities from the
 * highest, each in sequence, first what its window holds, then on in the store.
 *
 * <p>Jobs heavier than the worker's capacity are not eligible. A job heavier than what is free now
 * is passed over, but only {@link ClaimOptions#PASSES_MAX} times for the same worker: then nothing
 * is taken from behind it.
 *
 * <p>So two jobs are looked for: the first that the worker could ever take, and, if that is too
 * heavy now, the first that fits now. When many jobs at the front of a line are too heavy, those
 * behind them are walked over once and the light ones among them are remembered ({@link
 * LightJobs}): a walk for each claim would cost as much as the backlog is long. All claims of a
 * batch together walk over a bounded number of rows; one that has not come to an end goes on with
 * the next batch.
 *
 * <p>A job whose concurrency key has no token is not eligible either. It is put aside ({@link
 * Limited}), so that no claim meets it again until its key has one.
 */
final class ReadyScan {

  /** The most jobs that a refill adds to a window. */
  private static final int REFILL_COUNT = 1_024;

  /** The bytes after which a refill stops, so that the budget is not overrun by much. */
  private static final int REFILL_BYTES = 1 << 20;

  /** The jobs at the front of a line that every claim looks at: to remember few would not pay. */
  private static final int LOOK_COUNT = 64;

  /**
   * The rows that a walk looks at before a job that it found ends it: to begin a scan costs as
   * much.
   */
  private static final int WALK_LEAST = 256;

  private final OpenBatch batch;
  private final QueueState queue;
  private final List<QueueState> queues;
  private final ClaimSpec spec;
  private final Limited limited;
  private boolean isUnfinished;

  /**
   * Creates the search along one queue of a claim.
   *
   * @param queues all queues that the claim searches at the same time
   */
  ReadyScan(OpenBatch batch, QueueState queue, List<QueueState> queues, ClaimSpec spec) {
    this.batch = batch;
    this.queue = queue;
    this.queues = queues;
    this.spec = spec;
    this.limited = new Limited(batch, queue, queues);
  }

  /**
   * The next job of a queue that a claim may have.
   *
   * @param passedOver the first job that was passed over for it; null if none was
   */
  record Candidate(
      QueueState queue, ReadyWindow window, ReadyJob ready, @Nullable ReadyJob passedOver) {

    boolean isBefore(Candidate other) {
      int priority = ready.job().priority();
      int otherPriority = other.ready.job().priority();
      return priority != otherPriority
          ? priority > otherPriority
          : ready.sequence() < other.ready.sequence();
    }

    /** Takes the job out of its line, and counts for the worker that the other was passed over. */
    ReadyJob take(String worker) {
      window.removeSequence(ready.sequence());
      if (passedOver != null) {
        long birth = passedOver.job().birth();
        int count = passes(queue, worker, birth) + 1;
        queue.passedOver().set(worker, new PassedOver.Passed(birth, count));
      }
      return ready;
    }
  }

  /** Tells whether the search was cut short: the next batch goes on with it. */
  boolean isUnfinished() {
    return isUnfinished;
  }

  /** Returns the next job, or null: there is none, or it is not known yet. */
  @Nullable Candidate next(int freeWeight) {
    isUnfinished = false;
    if (freeWeight < 1 || limited.isShut()) {
      return null;
    }
    Candidate found = search(freeWeight);
    if (found == null) {
      limited.wakeWhenOpen();
    }
    return found;
  }

  private @Nullable Candidate search(int freeWeight) {
    ReadyPlace eligible = first(spec.capacity());
    if (eligible == null || eligible.ready().job().weight() <= freeWeight) {
      return eligible == null ? null : candidate(eligible, null);
    }
    ReadyJob heavy = eligible.ready();
    if (passes(queue, spec.worker(), heavy.job().birth()) >= ClaimOptions.PASSES_MAX) {
      limited.noteHeldUp(heavy);
      return null;
    }
    ReadyPlace light = first(freeWeight);
    return light == null ? null : candidate(light, heavy);
  }

  private Candidate candidate(ReadyPlace found, @Nullable ReadyJob passedOver) {
    return new Candidate(queue, found.window(), found.ready(), passedOver);
  }

  private record ReadyPlace(ReadyWindow window, ReadyJob ready) {}

  /** Returns the first job that weighs at most this. */
  private @Nullable ReadyPlace first(int weightMax) {
    for (ReadyWindow window : queue.windows()) {
      // In front of all that is still to be walked over, it need not wait for the walk.
      ReadyJob ready = firstOpened(window, window.frontSequence(), weightMax);
      if (ready == null && window.readyCount() > 0) {
        ready = firstIn(window, weightMax);
        if (isUnfinished) {
          return null;
        }
        ReadyJob opened =
            firstOpened(window, ready == null ? Long.MAX_VALUE : ready.sequence(), weightMax);
        ready = opened == null ? ready : opened;
      }
      if (ready != null) {
        return new ReadyPlace(window, ready);
      }
    }
    return null;
  }

  /**
   * Returns the first job before the sequence that was put aside and whose keys have tokens by now.
   */
  private @Nullable ReadyJob firstOpened(ReadyWindow window, long before, int weightMax) {
    while (true) {
      long sequence = limited.firstOpened(window, weightMax);
      if (sequence == ShutKeys.NONE || sequence >= before) {
        return null;
      }
      ReadyJob ready = ready(window, sequence);
      if (ready != null) {
        return ready;
      }
      window.leaveAside(sequence);
    }
  }

  private @Nullable ReadyJob firstIn(ReadyWindow window, int weightMax) {
    int lightest = Integer.MAX_VALUE;
    int index = 0;
    while (index < LOOK_COUNT) {
      if (index < window.size()) {
        ReadyJob ready = window.get(index);
        if (ready.job().weight() > weightMax) {
          lightest = Math.min(lightest, ready.job().weight());
          index++;
        } else if (!limited.mustWait(window, ready)) {
          return ready;
        } else if (limited.isFull(window)) {
          return null;
        } else if (!batch.mayWalk()) {
          return unfinished();
        } else {
          limited.putAside(window, ready);
        }
      } else if (window.reachesEnd()) {
        return null;
      } else if (index > 0 && batch.state().isOverBudget()) {
        break;
      } else {
        refill(window);
      }
    }
    LightJobs light = window.lights().of(weightMax);
    return light == null && !batch.mayWalk()
        ? unfinished()
        : firstLight(
            window,
            light != null ? light : begin(window, lightest, window.get(index - 1).sequence()),
            weightMax);
  }

  private @Nullable ReadyJob unfinished() {
    isUnfinished = true;
    return null;
  }

  private LightJobs begin(ReadyWindow window, int weightEnd, long tail) {
    batch.state().makeRoomForLights(queues);
    return window.lights().begin(weightEnd, tail);
  }

  /** Returns the first job that fits of those that are known, or that a walk finds. */
  private @Nullable ReadyJob firstLight(ReadyWindow window, LightJobs known, int weightMax) {
    LightJobs light = known;
    while (true) {
      long sequence = light.first(weightMax);
      if (sequence != LightJobs.NONE) {
        ReadyJob ready = ready(window, sequence);
        if (ready == null) {
          window.lights().leave(sequence);
        } else if (!limited.mustWait(window, ready)) {
          return ready;
        } else if (limited.isFull(window)) {
          return null;
        } else if (!batch.mayWalk()) {
          return unfinished();
        } else {
          limited.putAside(window, ready);
        }
      } else if (light.reachesEnd()) {
        return null;
      } else if (!batch.mayWalk()) {
        return unfinished();
      } else if (light.isFull()) {
        // Of jobs that do not fit now: they are left out from here on.
        light = begin(window, light.lightest(), light.tail());
      } else {
        walk(window, light, weightMax);
      }
    }
  }

  /** Returns the ready job of this sequence; null if its row cannot be read. */
  private @Nullable ReadyJob ready(ReadyWindow window, long sequence) {
    ReadyJob held = window.ofSequence(sequence);
    if (held != null) {
      return held;
    }
    byte[] key = ReadyKeys.key(queue.number(), window.priority(), sequence);
    JobRecord job = Records.decodeOrReport(batch, key, batch.get(key));
    return job == null ? null : asRead(key, job);
  }

  /** Walks on behind the light jobs that are known to find others, first in the window. */
  private void walk(ReadyWindow window, LightJobs light, int weightMax) {
    int[] rows = {0};
    boolean[] isFound = {false};
    RowVisitor visitor =
        (sequence, ready) -> {
          batch.noteWalked();
          rows[0]++;
          light.readOn(sequence, ready == null ? Integer.MAX_VALUE : ready.job().weight());
          isFound[0] |= ready != null && ready.job().weight() <= weightMax;
          boolean isEnough = isFound[0] && rows[0] >= WALK_LEAST;
          return batch.mayWalk() && !light.isFull() && !isEnough;
        };
    boolean isStopped = false;
    for (int i = window.indexBehind(light.tail()); i < window.size() && !isStopped; i++) {
      ReadyJob ready = window.get(i);
      isStopped = !visitor.visit(ready.sequence(), ready);
    }
    if (!isStopped) {
      light.readUpTo(window.tail(), false);
      isStopped = !window.reachesEnd() && !read(window, light.tail(), visitor);
    }
    if (!isStopped) {
      light.readUpTo(Math.max(light.tail(), batch.state().nextSequence() - 1), true);
    }
  }

  private static int passes(QueueState queue, String worker, long birth) {
    PassedOver.Passed known = queue.passedOver().of(worker);
    return known != null && known.birth() == birth ? known.count() : 0;
  }

  /** Reads the next jobs of the line into the window. */
  private void refill(ReadyWindow window) {
    batch.state().makeRoomFor(queue);
    int[] budget = {REFILL_COUNT, refillBytes()};
    long[] last = {window.tail()};
    boolean isEnd =
        read(
            window,
            window.tail(),
            (sequence, ready) -> {
              if (ready == null) {
                return true;
              }
              window.readOn(ready);
              last[0] = sequence;
              budget[0]--;
              budget[1] -= ready.job().memoryBytes();
              return budget[0] > 0 && budget[1] > 0;
            });
    window.readUpTo(isEnd ? Math.max(last[0], batch.state().nextSequence() - 1) : last[0], isEnd);
  }

  /**
   * Returns the bytes after which a refill stops, so that the windows of all queues of one claim
   * have room: else each would evict the others.
   */
  private int refillBytes() {
    int sharers =
        spec.tenantsOf().isEmpty() ? spec.queues().size() : batch.state().tenants().turnCount();
    long share = batch.state().rules().windowBytesMax() / (2L * Math.max(1, sharers));
    return (int) Math.min(REFILL_BYTES, share);
  }

  /** A visitor of a line's rows. */
  private interface RowVisitor {
    /**
     * Visits a row, and returns whether the next is wanted.
     *
     * @param ready the job; null if it is leased, put aside, or cannot be read
     */
    boolean visit(long sequence, @Nullable ReadyJob ready);
  }

  /**
   * Visits the rows of a line behind a sequence until the visitor stops; returns whether the line
   * ended.
   */
  private boolean read(ReadyWindow window, long behind, RowVisitor visitor) {
    LeaseTable leases = batch.state().leases();
    boolean[] isStopped = {false};
    batch.scan(
        ReadyKeys.key(queue.number(), window.priority(), behind + 1),
        ReadyKeys.priorityEnd(queue.number(), window.priority()),
        (key, value) -> {
          JobRecord job = Records.decodeOrReport(batch, key, value);
          long sequence = ReadyKeys.sequence(key);
          ReadyJob ready =
              job == null || leases.isLeased(job.birth()) || isAside(window, sequence)
                  ? null
                  : asRead(key, job);
          isStopped[0] = !visitor.visit(sequence, ready);
          return !isStopped[0];
        });
    return !isStopped[0];
  }

  private static boolean isAside(ReadyWindow window, long sequence) {
    return window.shut() != null && window.shut().holds(sequence);
  }

  /**
   * Returns the job as read from the store. The commit that made it ready is not known any more, so
   * the latest that it can have been is taken.
   */
  private ReadyJob asRead(byte[] key, JobRecord job) {
    long sequence = ReadyKeys.sequence(key);
    long batchNumber = batch.writes().number();
    if (isOfBatch(key, job)) {
      return new ReadyJob(sequence, job, batchNumber, batch.strongestLevel());
    }
    long askedCommit = Math.min(batch.context().syncs().askedCommit(), batchNumber - 1);
    return new ReadyJob(sequence, job, askedCommit, Durability.SYNCED);
  }

  /**
   * Tells whether the job is ready by this batch: its record came with it, or its lease ended with
   * it.
   */
  private boolean isOfBatch(byte[] key, JobRecord job) {
    WriteBatch writes = batch.writes();
    return writes.find(key) >= 0 || writes.find(LeaseKeys.key(queue.number(), job.birth())) >= 0;
  }
}
