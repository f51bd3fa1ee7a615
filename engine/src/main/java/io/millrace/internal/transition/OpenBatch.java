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
 * A store batch in the making, and the store as the requests of its group see it: the batch laid
 * over a view.
 *
 * <p>An open batch serves one group of requests; the fields that {@link #begin} sets hold for one
 * request of the group.
 */
public final class OpenBatch implements BatchUnderWay {

  /**
   * The room kept free for the row of the time, repairs of single rows, and the payloads of one
   * job's signals.
   */
  private static final Cost MARGIN = new Cost(64 + Limits.INBOX_COUNT_MAX, RowBytes.MARGIN);

  /** The bytes kept by answers at which no more requests are carried out with the batch. */
  private static final int ANSWER_BYTES_MAX = 4 << 20;

  /** The rows that the claims of one batch walk over at most: more would keep others waiting. */
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
   * Values that hold for all requests of the batch, and must be handed in.
   *
   * @param random from 0 inclusive to 1 exclusive
   * @param nowMs engine time of the group
   * @param steadyMs steady time of the group
   * @param nowNs monotonic time of the group
   * @param syncs how far the store was synced before the group
   * @param stepRows how many jobs or rows a step of divisible work has; requests that come after
   *     the step wait for that many
   */
  public record Context(
      DoubleSupplier random, long nowMs, long steadyMs, long nowNs, Syncs syncs, int stepRows) {

    /** Jobs or rows of a step beside few requests, and of a step that is itself a request. */
    public static final int STEP_ROWS_LEAST = 250;

    private static final int STEP_ROWS_MAX = 2_048;

    /** Operations that a request declares for each job that it concerns, roughly. */
    private static final int JOB_OPERATIONS = 4;

    /**
     * Returns how many jobs or rows a step has beside requests of so many operations: as many as
     * the requests concern, so that neither load keeps the other from going on, and never so many
     * that whoever comes after the step waits for long.
     */
    public static int stepRowsBeside(int operations) {
      return Math.max(STEP_ROWS_LEAST, Math.min(STEP_ROWS_MAX, operations / JOB_OPERATIONS));
    }

    /** Returns how far steady time is ahead of engine time; negative if it is behind. */
    public long steadyLeadMs() {
      return steadyMs - nowMs;
    }
  }

  /**
   * The progress of the store's syncs.
   *
   * @param syncedCommit the newest commit that is synced
   * @param askedCommit the newest commit that a request asked to be synced
   */
  public record Syncs(long syncedCommit, long askedCommit) {}

  /**
   * Creates an empty batch.
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

  /** Begins the next request of the group. */
  public void begin(SubmitTime submitted, Durability requestLevel) {
    begin(submitted, requestLevel, true);
  }

  /** Begins work that no caller asked for, such as work that is due. */
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

  /** Returns what jobs, queues and rows will be by the plans that the call has made so far. */
  public Planned planned() {
    return planned;
  }

  /** Tells whether a caller asked for what is being done now. */
  public boolean isOfRequest() {
    return isOfRequest;
  }

  /** Tells whether the batch has room for this cost, beside all that its end will add to it. */
  public boolean hasRoomFor(Cost cost) {
    return hasRoomFor(cost, state.leases().rowless().count(), state.rules().batch());
  }

  /**
   * Tells whether the batch has room for work that can be put off, which leaves half of the batch
   * alone; else as {@link #hasRoomFor(Cost)}.
   */
  public boolean hasRoomToSpare(Cost cost) {
    return hasRoomFor(cost, state.leases().rowless().count(), halfBatch);
  }

  /** Tells whether one more row of a lease fits if nothing else is to come. */
  public boolean hasRoomForRow() {
    return hasRoomFor(Cost.LEASE_ROW, 0, state.rules().batch());
  }

  private boolean hasRoomFor(Cost cost, int rowCount, BatchLimits limits) {
    int queueCount = state.changedCount();
    int operations =
        MARGIN.operations()
            + Cost.COUNTS.operations() * queueCount
            + Cost.LEASE_ROW.operations() * rowCount
            + Cost.SLOT.operations() * state.slots().changedCount()
            + Cost.TALLY.operations() * state.tallies().changedCount();
    long bytes =
        MARGIN.bytes()
            + Cost.COUNTS.bytes() * queueCount
            + Cost.LEASE_ROW.bytes() * rowCount
            + Cost.SLOT.bytes() * state.slots().changedCount()
            + Cost.TALLY.bytes() * state.tallies().changedCount()
            + (long) RowBytes.LINE * (state.changedLineCount() + rowCount + writes.size());
    return writes.size() + cost.operations() + operations <= limits.operationCountMax()
        && writes.bytes() + cost.bytes() + bytes <= limits.bytesMax();
  }

  /**
   * Does work on the way that is not the request's own, and so no part of what the request
   * declared: reading queues into memory, moving due jobs, writing rows of leases that were granted
   * before.
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

  /** Notes the request, or the step of other work, that is about to be carried out. */
  public void carry(Costed work) {
    carried = work;
    undeclared = Cost.NOTHING;
  }

  /**
   * Claims room for a row of so many bytes that the work being carried out turns out to need,
   * beside its declared cost and the rows that it has claimed like this already.
   *
   * @throws OutOfRoomException the row is for the next batch, or is more than an empty batch takes.
   *     In an empty batch only the rows claimed like this count, for work that is alone may take
   *     less than it has declared
   */
  public void requireRow(long bytes) {
    undeclared = undeclared.plus(new Cost(1, bytes));
    Cost declared = carried == null || writes.isEmpty() ? Cost.NOTHING : carried.cost();
    if (!hasRoomFor(declared.plus(undeclared))) {
      throw new OutOfRoomException();
    }
  }

  /** Notes that an answer of the group keeps so many bytes that were read. */
  public void noteAnswer(long bytes) {
    answerBytes += bytes;
  }

  /**
   * Tells whether memory allows answers of more requests, beside those that wait for the commit.
   */
  public boolean hasRoomForAnswers() {
    return answerBytes < ANSWER_BYTES_MAX;
  }

  /**
   * Returns the size of the batch but for what was done aside: what requests and steps declared.
   */
  public Cost declared() {
    return new Cost(writes.size() - asideOperations, writes.bytes() - asideBytes);
  }

  /** Tells whether claims may walk over more rows with this batch. */
  public boolean mayWalk() {
    return !isWalkKept && walkedRows < WALK_ROWS_MAX;
  }

  /**
   * Tells whether a step has had its share of the batch.
   *
   * @param beganWith operations that were in the batch when the step began
   * @param each operations of a job or row
   */
  public boolean isStepOver(int beganWith, int each) {
    return writes.size() - beganWith >= each * context.stepRows();
  }

  /** Counts a row that a claim walked over. */
  public void noteWalked() {
    walkedRows++;
  }

  /** Sets whether walks are reserved for claims that began before this batch. */
  public void keepWalk(boolean isKept) {
    isWalkKept = isKept;
  }

  @Override
  public long nowMs() {
    return submitTime.nowMs();
  }

  /** Returns the steady time at which the request was submitted. */
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

  /** Returns how durable the request asks its effects to be. */
  @Override
  public Durability level() {
    return level;
  }

  /** Returns the strongest durability that requests of the group up to this one asked for. */
  public Durability strongestLevel() {
    return strongestLevel;
  }

  /**
   * Raises the durability that the request's effects need before anybody sees them to at least
   * this.
   */
  public void raiseLevel(Durability least) {
    if (least == Durability.SYNCED) {
      level = least;
      strongestLevel = least;
    }
  }

  /** Lets the request be answered when this commit is that durable. */
  public void answerAfter(long commit, Durability durability) {
    answerCommit = commit;
    answerLevel = durability;
  }

  /**
   * Lets an end that was found be told when it is durable, no earlier than to those who waited for
   * it; and that there is none yet, at once.
   */
  public void answerAfterWhatIsThere(boolean isFound) {
    Syncs syncs = context().syncs();
    boolean isSyncUnderWay = syncs.askedCommit() > syncs.syncedCommit();
    Durability ofFound = isSyncUnderWay ? Durability.SYNCED : strongestLevel;
    answerAfter(number(), isFound ? ofFound : Durability.BUFFERED);
  }

  public long answerCommit() {
    return answerCommit;
  }

  public Durability answerLevel() {
    return answerLevel;
  }

  /** Returns the rows that are wanted of the store, which are read together. */
  public RowReads reads() {
    return reads;
  }

  /** Returns the value of a row as the group sees it, or null. */
  public byte @Nullable [] get(byte[] key) {
    int index = writes.find(key);
    return index == WriteBatch.ABSENT ? reads.get(key) : writes.value(index);
  }

  /** Returns the value of a declared row as the group sees it, or null. */
  public byte @Nullable [] get(RowReads.Row row) {
    int index = writes.find(row.key());
    return index == WriteBatch.ABSENT ? row.value() : writes.value(index);
  }

  /** Returns the value of a row as the store has it, without the changes of the group, or null. */
  public byte @Nullable [] stored(byte[] key) {
    return view.get().get(key);
  }

  /** Visits rows in key order as the group sees them. */
  public void scan(byte[] startInclusive, byte[] endExclusive, ReadView.RowVisitor visitor) {
    scan(startInclusive, endExclusive, OverlayScan.PAGE_SIZE, visitor);
  }

  /**
   * Visits rows in key order as the group sees them, for a visitor that is likely to stop early.
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

  /**
   * Puts a row of which the store has none: if it goes soon, it may never have been in the store's
   * files.
   */
  public void putNew(byte[] key, byte[] value) {
    writes.putNew(key, value);
  }

  /** Puts a row, which may be {@linkplain #putNew new}. */
  public void put(byte[] key, byte[] value, boolean isNew) {
    if (isNew) {
      putNew(key, value);
    } else {
      put(key, value);
    }
  }

  /** Puts a row that follows from another ({@code OwnedRows}); does nothing for null. */
  public void putOwned(@Nullable Row row) {
    putOwned(row, false);
  }

  /**
   * Puts a row as {@link #putOwned(Row)} does.
   *
   * @param isNew whether the store is known to have no row of its key
   */
  public void putOwned(@Nullable Row row, boolean isNew) {
    if (row == null) {
      return;
    }
    put(row.key(), row.value(), isNew);
    if (Keyspace.ofKey(row.key()) == Keyspace.TIMER) {
      state.timerHeads().note(row.key());
    }
  }

  public void delete(byte[] key) {
    writes.delete(key);
  }

  /**
   * Adds an action to the undo log, which runs if the batch never happens: for memory that is not
   * read again from the store.
   */
  public void onUndo(Runnable undo) {
    state.undoLog().add(undo);
  }

  /** Reports a row that cannot be decoded; it is set aside after the group's requests. */
  public void reportCorrupt(byte[] key) {
    corruptKeys.add(key);
  }

  public List<byte[]> corruptKeys() {
    return corruptKeys;
  }

  /**
   * Notes that a job of the queue became ready: claims that wait for it are served before the next
   * request.
   */
  public void wake(QueueState queue) {
    if (queue.isAwaited()) {
      woken.add(queue);
    }
  }

  /**
   * Returns the queues in which jobs became ready while claims wait for them, and clears the list.
   */
  public List<QueueState> takeWoken() {
    if (woken.isEmpty()) {
      return List.of();
    }
    List<QueueState> taken = List.copyOf(woken);
    woken.clear();
    return taken;
  }
}
