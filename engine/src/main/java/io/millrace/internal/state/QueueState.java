package io.millrace.internal.state;

import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.QueueRecord;
import io.millrace.internal.format.StateTraits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A queue in use: its settings, its exact counts, the fronts of its lines, and the claims that wait
 * for it.
 *
 * <p>What is stored (settings, counts) can be dropped and read again at any time between commits.
 * The claims that wait stay.
 */
public final class QueueState {

  /** The time of something that is never due. */
  public static final long NEVER = TimerHead.NEVER;

  private static final JobState[] DEPTH =
      StateTraits.states(StateTraits::isDepth).toArray(JobState[]::new);

  private final QueueName name;
  private final SharedSettings shared;
  private final WindowBudget budget;
  private final WindowBudget lightBudget;
  private final EngineTotals engineTotals;
  private final long[] counts = new long[JobState.values().length];
  private final long[] totals = new long[Total.values().length];
  private final List<ReadyWindow> windows = new ArrayList<>(1);
  private final Set<ParkedClaim> parkedClaims =
      new TreeSet<>(Comparator.comparingLong(ParkedClaim::arrival));
  private final ShutLines shut = new ShutLines(windows);
  private final PassedOver passedOver = new PassedOver();
  private @Nullable QueueRecord record;
  private QueueSettings settings = QueueSettings.DEFAULT;
  private QueueSettings ownSettings = QueueSettings.DEFAULT;
  private QueueSettings settingsOfName = QueueSettings.DEFAULT;
  private long agendaAtMs = NEVER;
  private final NextDelayed nextDelayed = new NextDelayed();
  private long emptySinceMs;
  private final PerKeyDone perKeyDone = new PerKeyDone();
  private boolean mayHaveSlots = true;
  private boolean isLoaded;
  private boolean isChanged;
  private int rowlessCount;
  private long usedAtNs;
  private long lastClaimMs;

  QueueState(
      QueueName name,
      SharedSettings shared,
      WindowBudget budget,
      WindowBudget lightBudget,
      EngineTotals engineTotals) {
    this.name = name;
    this.shared = shared;
    this.budget = budget.share();
    this.lightBudget = lightBudget.share();
    this.engineTotals = engineTotals;
  }

  public QueueName name() {
    return name;
  }

  /** Tells whether the fields hold what the store does; if not, the queue must be read first. */
  public boolean isLoaded() {
    return isLoaded;
  }

  /** Tells whether the store knows the queue. */
  public boolean exists() {
    return record != null;
  }

  public int number() {
    return record().number();
  }

  public QueueRecord record() {
    QueueRecord known = record;
    if (known == null) {
      throw new IllegalStateException("queue does not exist: queue=" + name);
    }
    return known;
  }

  /** Returns the settings that are shared by all queues of this name. */
  public SharedSettings shared() {
    return shared;
  }

  /**
   * Returns the settings that hold for the queue, existing or not: its own, else those of its name.
   */
  public QueueSettings settings() {
    QueueSettings own = record == null ? QueueSettings.DEFAULT : record.settings();
    QueueSettings ofName = Objects.requireNonNull(shared.settings(), "queue is not loaded");
    if (own != ownSettings || ofName != settingsOfName) {
      settings = own.over(ofName);
      ownSettings = own;
      settingsOfName = ofName;
    }
    return settings;
  }

  /** Takes over what the store holds; null for a queue that does not exist yet. */
  public void load(@Nullable QueueRecord stored, @Nullable CountersRecord counters) {
    forget();
    record = stored;
    isLoaded = true;
    if (counters == null) {
      return;
    }
    System.arraycopy(counters.states(), 0, counts, 0, counts.length);
    System.arraycopy(counters.totals(), 0, totals, 0, totals.length);
    agendaAtMs = counters.agendaAtMs();
    nextDelayed.load(counters.nextDelayedAtMs());
    emptySinceMs = counters.emptySinceMs();
    perKeyDone.load(counters.perKeyDone());
    for (CountersRecord.ReadyRow row : counters.ready()) {
      windows.add(
          new ReadyWindow(
              row.priority(), row.readyCount(), row.headSequence(), budget, lightBudget));
    }
    windows.sort((a, b) -> Integer.compare(b.priority(), a.priority()));
  }

  /** Forgets all that the store is the authority for. */
  void forget() {
    unloadWindows();
    forgetLights();
    windows.clear();
    Arrays.fill(counts, 0);
    Arrays.fill(totals, 0);
    record = null;
    agendaAtMs = NEVER;
    nextDelayed.load(NEVER);
    emptySinceMs = 0;
    perKeyDone.load(0);
    mayHaveSlots = true;
    isLoaded = false;
    isChanged = false;
    rowlessCount = 0;
  }

  /** Sets the queue's record with its settings; creates the queue if it did not exist. */
  public void setRecord(QueueRecord value) {
    record = value;
  }

  /** Returns the counts as they are to be stored: a job whose lease has no row counts as ready. */
  public CountersRecord counters() {
    long[] storedCounts = counts;
    long[] storedTotals = totals;
    if (rowlessCount > 0) {
      storedCounts = counts.clone();
      storedCounts[JobState.READY.ordinal()] += rowlessCount;
      storedCounts[JobState.LEASED.ordinal()] -= rowlessCount;
      storedTotals = totals.clone();
      storedTotals[Total.CLAIMED.ordinal()] -= rowlessCount;
    }
    List<CountersRecord.ReadyRow> rows = new ArrayList<>(windows.size());
    for (ReadyWindow window : windows) {
      if (window.storedReadyCount() > 0) {
        rows.add(
            new CountersRecord.ReadyRow(
                window.priority(), window.storedReadyCount(), window.storedLowestUnleased()));
      }
    }
    return new CountersRecord(
        storedCounts,
        storedTotals,
        rows.toArray(CountersRecord.ReadyRow[]::new),
        agendaAtMs,
        nextDelayed.earliestMs(),
        emptySinceMs,
        count(JobState.BLOCKED) == 0 ? 0 : perKeyDone.count());
  }

  /**
   * Adds a lease on a job of this queue that has no row in the batch for which the counts are
   * written.
   */
  public void addRowless(LeaseEntry lease) {
    rowlessCount++;
    window(lease.priority(), lease.readySequence()).addRowless(lease.readySequence());
  }

  /** Returns how many leases were added by {@link #addRowless}. */
  public int rowlessCount() {
    return rowlessCount;
  }

  /** Forgets the leases without rows, since the counts are written. */
  public void clearRowless() {
    rowlessCount = 0;
    windows.forEach(ReadyWindow::clearRowless);
  }

  /** Returns the lines that have been used, the highest priority first. */
  public List<ReadyWindow> windows() {
    return windows;
  }

  /** Returns the line of a priority; a new one begins at the given sequence. */
  public ReadyWindow window(int priority, long nextSequence) {
    int index = 0;
    while (index < windows.size() && windows.get(index).priority() > priority) {
      index++;
    }
    if (index < windows.size() && windows.get(index).priority() == priority) {
      return windows.get(index);
    }
    ReadyWindow window = new ReadyWindow(priority, 0, nextSequence, budget, lightBudget);
    windows.add(index, window);
    return window;
  }

  /** Returns the memory that the windows take, in bytes. */
  long windowBytes() {
    return budget.bytesUsed();
  }

  /**
   * Returns the memory, in bytes, that is taken by what claims know of light jobs and of jobs put
   * aside.
   */
  long lightBytes() {
    return lightBudget.bytesUsed();
  }

  void unloadWindows() {
    windows.forEach(ReadyWindow::unload);
  }

  void forgetLights() {
    for (ReadyWindow window : windows) {
      window.lights().forget();
      window.forgetShut();
    }
  }

  /** Returns the jobs that claims have put aside, since their limits have no tokens. */
  public ShutLines shut() {
    return shut;
  }

  public long count(JobState state) {
    return counts[state.ordinal()];
  }

  public void add(JobState state, int delta) {
    counts[state.ordinal()] += delta;
    assert counts[state.ordinal()] >= 0 : name + " has a negative count of " + state;
  }

  public void countTotal(Total total) {
    totals[total.ordinal()]++;
    engineTotals.count(total);
  }

  /** Counts a job that joined the queue. */
  public void countEnqueued(JobRecord job) {
    countTotal(Total.ENQUEUED);
    engineTotals.lives().enqueued(name, number(), job);
  }

  /** Counts a lease that was granted on the job. */
  public void countClaimed(LeaseEntry lease, JobRecord job) {
    countTotal(Total.CLAIMED);
    engineTotals.lives().started(name, lease, job);
  }

  /** Counts the end of an attempt. */
  public void countEnd(Total total, LeaseEntry lease, AttemptEnd end, long nowMs) {
    countTotal(total);
    engineTotals.lives().ended(name, lease, total, end, nowMs);
  }

  /** Counts a job that nobody worked on, and that is gone. */
  public void countRemoved(Total total, JobRecord job) {
    countTotal(total);
    engineTotals.lives().removed(name, number(), job, total);
  }

  /** Counts a job that nobody worked on, and that goes on in another state. */
  public void countMoved(Total total, JobRecord job, JobState next) {
    countTotal(total);
    engineTotals.lives().moved(name, number(), job, total, next);
  }

  /** Counts a job that nobody worked on, and that is a dead letter now. */
  public void countDied(JobRecord job, String error) {
    countTotal(Total.DIED);
    engineTotals.lives().died(name, number(), job, error);
  }

  /**
   * Counts something in the totals of the queue alone: those of the engine contain it already,
   * while those that were read from the store do not.
   */
  public void countAgain(Total total) {
    totals[total.ordinal()]++;
  }

  /**
   * Tells whether some concurrency key of the queue may have a row; if not, the queue is so new
   * that the store need not be asked for any.
   */
  public boolean mayHaveSlots() {
    return mayHaveSlots;
  }

  public void setMayHaveSlots(boolean value) {
    mayHaveSlots = value;
  }

  /** Returns how far blocked jobs were let go on. */
  public PerKeyDone perKeyDone() {
    return perKeyDone;
  }

  /** Notes that a job is about to be blocked. */
  public void noteBlocking() {
    if (count(JobState.BLOCKED) == 0) {
      perKeyDone.begin(settings().perKey());
    }
  }

  /**
   * Lowers {@link #perKeyDone}: a concurrency key with blocked jobs has no more holders than this.
   */
  public void lowerPerKeyDone(int holders) {
    perKeyDone.lower(holders);
  }

  /** Tells whether blocked jobs may go on, since the setting was raised after they were blocked. */
  public boolean isHandOnDue() {
    return record != null
        && count(JobState.BLOCKED) > 0
        && perKeyDone.count() < settings().perKey();
  }

  /** Returns how many jobs wait to be worked on, which the depth limit is about. */
  public long depth() {
    long depth = 0;
    for (JobState state : DEPTH) {
      depth += count(state);
    }
    return depth;
  }

  public boolean isEmpty() {
    for (long count : counts) {
      if (count != 0) {
        return false;
      }
    }
    return true;
  }

  /** Returns the claims that wait for a job of this queue by name, the longest-waiting first. */
  public Set<ParkedClaim> parkedClaims() {
    return parkedClaims;
  }

  /** Returns all claims that a job of this queue may serve, the longest-waiting first. */
  public Iterable<ParkedClaim> waitingClaims() {
    TenantRing tenants = shared.tenants();
    if (tenants == null || !tenants.hasParked()) {
      return parkedClaims;
    }
    if (parkedClaims.isEmpty()) {
      return tenants.parkedClaims();
    }
    return ParkedClaims.inOrderOfArrival(parkedClaims, tenants.parkedClaims());
  }

  /** Tells whether some claim waits that a job of this queue may serve. */
  public boolean isAwaited() {
    TenantRing tenants = shared.tenants();
    return !parkedClaims.isEmpty() || (tenants != null && tenants.hasParked());
  }

  /**
   * Tells whether the queue must stay in memory, though nothing uses it, since waiting claims
   * depend on it.
   */
  boolean isKept() {
    return !parkedClaims.isEmpty() || (!passedOver.isEmpty() && isAwaited());
  }

  /**
   * Tells whether claims across the tenants would miss the queue, though it has something for them.
   */
  public boolean isMissedByTenants() {
    TenantRing tenants = shared.tenants();
    return tenants != null
        && tenants.isWhole()
        && count(JobState.READY) > 0
        && !record().paused()
        && tenants.find(name) == null;
  }

  /** Returns the jobs that claims have passed over for lighter ones. */
  public PassedOver passedOver() {
    return passedOver;
  }

  /**
   * Returns when the AGENDA row of this queue says to look at it; {@link #NEVER} if there is no
   * row.
   */
  public long agendaAtMs() {
    return agendaAtMs;
  }

  public void setAgendaAtMs(long value) {
    agendaAtMs = value;
  }

  /** Returns the place at which the delayed jobs begin. */
  public NextDelayed nextDelayed() {
    return nextDelayed;
  }

  /** Returns since when the queue has had no job, in engine time; 0 while it has one. */
  public long emptySinceMs() {
    return emptySinceMs;
  }

  /** Notes whether the queue is empty by now. */
  public void noteEmptySince(long nowMs) {
    emptySinceMs = !isEmpty() ? 0 : emptySinceMs == 0 ? nowMs : emptySinceMs;
  }

  /** Tells whether the counts differ from what is stored, until the batch under way takes them. */
  public boolean isChanged() {
    return isChanged;
  }

  /** Marks the counts as changed, and returns whether they were as stored before. */
  boolean markChanged() {
    boolean wasChanged = isChanged;
    isChanged = true;
    return !wasChanged;
  }

  void markUnchanged() {
    isChanged = false;
  }

  /**
   * Returns when somebody last claimed from the queue, in engine time; 0 for never since it came
   * into memory.
   */
  public long lastClaimMs() {
    TenantRing tenants = shared.tenants();
    return tenants == null ? lastClaimMs : Math.max(lastClaimMs, tenants.lastClaimMs());
  }

  /** Notes that somebody claims from the queue. */
  public void noteClaim(long nowMs) {
    lastClaimMs = nowMs;
  }

  public long usedAtNs() {
    return usedAtNs;
  }

  void setUsedAtNs(long value) {
    usedAtNs = value;
  }
}
