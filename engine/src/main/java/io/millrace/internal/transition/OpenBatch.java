package io.millrace.internal.transition;

import io.millrace.api.Durability;
import io.millrace.api.Limits;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.RowBytes;
import io.millrace.internal.state.BatchLimits;
import io.millrace.internal.state.BatchUnderWay;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import io.millrace.spi.ReadView;
import io.millrace.spi.WriteBatch;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One store batch in the making, and the store as the requests of its group see it: the batch laid
 * over a view.
 *
 * <p>Holds for one group of requests; the fields that {@link #begin} sets hold for one request of
 * the group.
 */
public final class OpenBatch implements BatchUnderWay {

  /** The time, what repairs of single rows may take, and the payloads of one job's signals. */
  private static final Cost MARGIN = new Cost(64 + Limits.INBOX_COUNT_MAX, RowBytes.MARGIN);

  /** No more requests are carried out with a batch when its answers keep so much. */
  private static final int ANSWER_BYTES_MAX = 4 << 20;

  /** Rows that the claims of one batch walk over: more would keep others waiting. */
  static final int WALK_ROWS_MAX = 2_048;

  private final WorkingSet state;
  private final WriteBatch writes;
  private final BatchLimits halfBatch;
  private final Supplier<ReadView> view;
  private final RowReads reads;
  private final Context context;
  private final Set<QueueState> woken = new LinkedHashSet<>();
  private final List<byte[]> corruptKeys = new ArrayList<>();
  private final Planned planned = new Planned();
  private SubmitTime submitTime;
  private @Nullable Costed carried;
  private Cost undeclared = Cost.NOTHING;
  private long answerBytes;
  private int walkedRows;
  private boolean isWalkKept;
  private boolean isOfRequest;
  private boolean isAside;
  private int asideOperations;
  private long asideBytes;
  private Durability level = Durability.SYNCED;
  private Durability strongestLevel = Durability.BUFFERED;
  private long answerCommit;
  private Durability answerLevel = Durability.SYNCED;

  /**
   * What holds for all requests of the batch, and must be handed in.
   *
   * @param random from 0 inclusive to 1 exclusive
   * @param nowMs engine time of the group
   * @param steadyMs steady time of the group
   * @param nowNs monotonic time of the group
   * @param syncs how far the store was synced before the group
   * @param stepRows how many jobs or rows a step of divisible work has: those who came after it
   *     wait for that
   */
  public record Context(
      DoubleSupplier random, long nowMs, long steadyMs, long nowNs, Syncs syncs, int stepRows) {

    /** Jobs or rows of a step beside few requests, and of one that is itself a request. */
    public static final int STEP_ROWS_LEAST = 250;

    private static final int STEP_ROWS_MAX = 2_048;

    /** Operations that a request declares for each job that it is about, roughly. */
    private static final int JOB_OPERATIONS = 4;

    /**
     * Answers how many jobs or rows a step has beside requests of so many operations: as many as
     * they are about, so that neither load keeps the other from going on, and never so many that
     * who comes after it waits for long.
     */
    public static int stepRowsBeside(int operations) {
      return Math.max(STEP_ROWS_LEAST, Math.min(STEP_ROWS_MAX, operations / JOB_OPERATIONS));
    }

    /** How far steady time is ahead of engine time; negative if it is behind. */
    public long steadyLeadMs() {
      return steadyMs - nowMs;
    }
  }

  /**
   * How far the store is synced.
   *
   * @param syncedCommit the newest commit that is
   * @param askedCommit the newest commit that somebody asked to be
   */
  public record Syncs(long syncedCommit, long askedCommit) {}

  /**
   * A batch with nothing in it yet.
   *
   * @param view opened when the first read needs it
   */
  public OpenBatch(WorkingSet state, WriteBatch writes, Supplier<ReadView> view, Context context) {
    this.state = state;
    this.writes = writes;
    this.halfBatch = state.rules().batch().half();
    this.view = view;
    this.reads = new RowReads(view);
    this.context = context;
    this.submitTime = SubmitTime.NEVER;
    state.totals().lives().begin(this);
  }

  /** The next request of the group begins. */
  public void begin(SubmitTime submitted, Durability requestLevel) {
    begin(submitted, requestLevel, true);
  }

  /** What nobody asked for begins, such as work that is due. */
  public void beginUpkeep(SubmitTime now, Durability least) {
    begin(now, least, false);
  }

  private void begin(SubmitTime submitted, Durability requestLevel, boolean isAsked) {
    isOfRequest = isAsked;
    planned.clear();
    submitTime = submitted;
    level = requestLevel;
    if (requestLevel == Durability.SYNCED) {
      strongestLevel = Durability.SYNCED;
    }
    answerAfter(writes.number(), requestLevel);
  }

  public WorkingSet state() {
    return state;
  }

  public WriteBatch writes() {
    return writes;
  }

  /** What the plans of the call that were made so far will leave. */
  public Planned planned() {
    return planned;
  }

  /** Whether somebody asked for what is being done now. */
  public boolean isOfRequest() {
    return isOfRequest;
  }

  /** Whether the batch may take as much more, beside all that its end will add to it. */
  public boolean hasRoomFor(Cost cost) {
    return hasRoomFor(cost, state.leases().rowless().count(), state.rules().batch());
  }

  /** As {@link #hasRoomFor}, for work that can be put off: it leaves half of the batch alone. */
  public boolean hasRoomToSpare(Cost cost) {
    return hasRoomFor(cost, state.leases().rowless().count(), halfBatch);
  }

  /** Whether one more row of a lease fits when there is nothing else to come. */
  public boolean hasRoomForRow() {
    return hasRoomFor(Cost.LEASE_ROW, 0, state.rules().batch());
  }

  private boolean hasRoomFor(Cost cost, int rowCount, BatchLimits limits) {
    int queueCount = state.changedCount();
    int operations =
        MARGIN.operations()
            + Cost.COUNTS.operations() * queueCount
            + Cost.LEASE_ROW.operations() * rowCount
            + Cost.SLOT.operations() * state.slots().changedCount();
    long bytes =
        MARGIN.bytes()
            + Cost.COUNTS.bytes() * queueCount
            + Cost.LEASE_ROW.bytes() * rowCount
            + Cost.SLOT.bytes() * state.slots().changedCount()
            + (long) RowBytes.LINE * (state.changedLineCount() + rowCount + writes.size());
    return writes.size() + cost.operations() + operations <= limits.operationCountMax()
        && writes.bytes() + cost.bytes() + bytes <= limits.bytesMax();
  }

  /**
   * Does something on the way that is not the request's own, and so is none of what it declared:
   * reading queues into memory, moving what is due, rows of leases that were granted before.
   */
  public void aside(Runnable work) {
    if (isAside) {
      work.run();
      return;
    }
    isAside = true;
    int operations = writes.size();
    long bytes = writes.bytes();
    try {
      work.run();
    } finally {
      isAside = false;
      asideOperations += writes.size() - operations;
      asideBytes += writes.bytes() - bytes;
    }
  }

  /** A request, or a step of other work, is about to be carried out. */
  public void carry(Costed work) {
    carried = work;
    undeclared = Cost.NOTHING;
  }

  /**
   * What is being carried out turns out to need a row of so many bytes, beside all that it declared
   * and what it has asked for so already.
   *
   * @throws OutOfRoomException it is for the next batch, or more than an empty one takes: one that
   *     is alone may take less than it has declared, but never less than these
   */
  public void requireRow(long bytes) {
    undeclared = undeclared.plus(new Cost(1, bytes));
    Cost declared = carried == null || writes.isEmpty() ? Cost.NOTHING : carried.cost();
    if (!hasRoomFor(declared.plus(undeclared))) {
      throw new OutOfRoomException();
    }
  }

  /** An answer of the group keeps so many bytes that were read. */
  public void noteAnswer(long bytes) {
    answerBytes += bytes;
  }

  /** Whether memory allows answers of more requests, beside those that wait for the commit. */
  public boolean hasRoomForAnswers() {
    return answerBytes < ANSWER_BYTES_MAX;
  }

  /** What is in the batch that was declared by somebody. */
  public Cost declared() {
    return new Cost(writes.size() - asideOperations, writes.bytes() - asideBytes);
  }

  /** Whether claims may walk over more rows with this batch. */
  public boolean mayWalk() {
    return !isWalkKept && walkedRows < WALK_ROWS_MAX;
  }

  /**
   * Tells whether a step that began with so many operations in the batch has had its share.
   *
   * @param each operations of a job or row
   */
  public boolean isStepOver(int beganWith, int each) {
    return writes.size() - beganWith >= each * context.stepRows();
  }

  /** A claim walked over a row. */
  public void noteWalked() {
    walkedRows++;
  }

  /** Whether walks are kept for claims that began before this batch. */
  public void keepWalk(boolean isKept) {
    isWalkKept = isKept;
  }

  @Override
  public long nowMs() {
    return submitTime.nowMs();
  }

  /** Steady time at which the request was submitted. */
  public long steadyMs() {
    return submitTime.steadyMs();
  }

  public long leaseNs() {
    return submitTime.leaseNs();
  }

  public Context context() {
    return context;
  }

  @Override
  public long number() {
    return writes.number();
  }

  /** How durable the request asks its effects to be. */
  @Override
  public Durability level() {
    return level;
  }

  /** How durable some request of the group asked its effects to be, this one included. */
  public Durability strongestLevel() {
    return strongestLevel;
  }

  /** The request's effects are to be at least that durable before anybody sees them. */
  public void raiseLevel(Durability least) {
    if (least == Durability.SYNCED) {
      level = least;
      strongestLevel = least;
    }
  }

  /** The request may be answered when this commit is that durable. */
  public void answerAfter(long commit, Durability durability) {
    answerCommit = commit;
    answerLevel = durability;
  }

  public long answerCommit() {
    return answerCommit;
  }

  public Durability answerLevel() {
    return answerLevel;
  }

  /** What is wanted of the store, so that it is read together. */
  public RowReads reads() {
    return reads;
  }

  /** Value of a row as the group sees it, or null. */
  public byte @Nullable [] get(byte[] key) {
    int index = writes.find(key);
    return index == WriteBatch.ABSENT ? reads.get(key) : writes.value(index);
  }

  /** Value of a declared row as the group sees it, or null. */
  public byte @Nullable [] get(RowReads.Row row) {
    int index = writes.find(row.key());
    return index == WriteBatch.ABSENT ? row.value() : writes.value(index);
  }

  /** Value of a row as the store has it, without the changes of the group, or null. */
  public byte @Nullable [] stored(byte[] key) {
    return view.get().get(key);
  }

  /** Visits rows in key order as the group sees them. */
  public void scan(byte[] startInclusive, byte[] endExclusive, ReadView.RowVisitor visitor) {
    scan(startInclusive, endExclusive, OverlayScan.PAGE_SIZE, visitor);
  }

  /**
   * As the other, for a visitor that is likely to stop early.
   *
   * @param likely how many rows will do in most cases, at least 1
   */
  public void scan(
      byte[] startInclusive, byte[] endExclusive, int likely, ReadView.RowVisitor visitor) {
    OverlayScan.Layers layers = new OverlayScan.Layers(writes, view.get());
    OverlayScan.scan(layers, startInclusive, endExclusive, likely, visitor);
  }

  /**
   * Visits rows in key order as the store has them, without the changes of the group.
   *
   * @param likely how many rows will do in most cases, at least 1
   */
  public void scanStored(
      byte[] startInclusive, byte[] endExclusive, int likely, ReadView.RowVisitor visitor) {
    OverlayScan.scanStored(view.get(), startInclusive, endExclusive, likely, visitor);
  }

  public void put(byte[] key, byte[] value) {
    writes.put(key, value);
  }

  /** Puts a row of which the store has none. */
  public void putNew(byte[] key, byte[] value) {
    writes.putNew(key, value);
  }

  /** Puts a row that follows from another ({@code OwnedRows}); nothing for null. */
  public void putOwned(@Nullable Row row) {
    if (row == null) {
      return;
    }
    writes.put(row.key(), row.value());
    if (Keyspace.ofKey(row.key()) == Keyspace.TIMER) {
      state.timerHeads().note(row.key());
    }
  }

  public void delete(byte[] key) {
    writes.delete(key);
  }

  /** What to do if the batch never happens, for memory that is not read again from the store. */
  public void onUndo(Runnable undo) {
    state.undoLog().add(undo);
  }

  /** A row that cannot be decoded was met; it is set aside after the group's requests. */
  public void reportCorrupt(byte[] key) {
    corruptKeys.add(key);
  }

  public List<byte[]> corruptKeys() {
    return corruptKeys;
  }

  /**
   * A job of the queue became ready: claims that wait for it are served before the next request.
   */
  public void wake(QueueState queue) {
    if (queue.isAwaited()) {
      woken.add(queue);
    }
  }

  /** Queues in which jobs became ready while claims wait for them; clears the list. */
  public List<QueueState> takeWoken() {
    if (woken.isEmpty()) {
      return List.of();
    }
    List<QueueState> taken = List.copyOf(woken);
    woken.clear();
    return taken;
  }
}
