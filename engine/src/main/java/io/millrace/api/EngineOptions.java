package io.millrace.api;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How an engine works. Immutable: start from {@link #DEFAULT} and change what differs. */
public final class EngineOptions extends Options {

  public static final int RING_SIZE_MAX = 1 << 20;
  public static final long WINDOW_BYTES_LEAST = 64 << 10;

  /** How long a poisoned engine waits before each of its own attempts to open its store again. */
  public static final List<Duration> REOPEN_AFTER_DEFAULT =
      List.of(Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(25));

  /** The most such attempts. */
  public static final int REOPEN_COUNT_MAX = 100;

  /** The longest that the shutdown of the JVM waits for an engine to be closed. */
  public static final Duration SHUTDOWN_WAIT_MAX = Duration.ofMinutes(1);

  /** The longest that a call waits on a store that several hosts share, unless it is said. */
  public static final Duration SHARED_CALL_TIMEOUT = Duration.ofSeconds(60);

  /** Synced, leases reclaimed at a restart, the limits of the documentation. */
  public static final EngineOptions DEFAULT = new EngineOptions();

  private Durability durability = Durability.SYNCED;

  /** Null until it is set: then what the store asks for, which is {@code RECLAIM} for most. */
  private @Nullable LeasesAtOpen leasesAtOpen;

  private Duration honourGrace = Duration.ZERO;

  /** Null until it is set, as {@link #leasesAtOpen}; {@code BEFORE_COMMIT} for most. */
  private @Nullable ClaimsAnswer claimsAnswer;

  private int ringSize = 65_536;
  private Duration overloadWait = Duration.ofSeconds(1);
  private long windowBytesMax = 32 << 20;
  private int leaseCountMax = 1_000_000;
  private int parkedClaimCountMax = 100_000;
  private int awaitCountMax = 100_000;
  private Duration queueIdle = Duration.ofSeconds(60);
  private Duration emptyQueueKept = Duration.ofHours(24);
  private Duration bufferedSyncInterval = Duration.ofMillis(50);
  private Duration stallThreshold = Duration.ofMillis(250);
  private Optional<Executor> futureExecutor = Optional.empty();
  private EngineClock clock = EngineClock.SYSTEM;
  private Optional<Long> randomSeed = Optional.empty();
  private boolean spreadBackoffs = true;
  private Optional<Instant> processStart = Optional.empty();
  private List<EngineListener> listeners = List.of();
  private Optional<String> name = Optional.empty();
  private Management management = Management.JMX;
  private Optional<RetentionListener> retentionListener = Optional.empty();
  private boolean closeAtShutdown = true;
  private List<Duration> reopenAfter = REOPEN_AFTER_DEFAULT;
  private Optional<Duration> callTimeout = Optional.empty();

  /** What becomes of the leases that an unclean stop left behind. */
  public enum LeasesAtOpen {
    /** Their workers died with the process: the jobs are ready again, the attempts count. */
    RECLAIM,
    /** Their workers live elsewhere: each lease gets its full duration again. */
    HONOUR
  }

  /** When a claim on a backlog is answered. */
  public enum ClaimsAnswer {
    /**
     * At once: the lease's own record goes with the next commit, and is not written at all if the
     * job is completed before.
     */
    BEFORE_COMMIT,
    /** When the lease's own record is as durable as the engine promises. */
    AFTER_COMMIT
  }

  /** How others may look at a running engine. */
  public enum Management {
    /** Through an MBean in the process's platform MBean server, for tools on this machine. */
    JMX,
    /** Through this process alone. */
    OFF
  }

  private EngineOptions() {}

  private EngineOptions(EngineOptions other) {
    super(other);
    durability = other.durability;
    leasesAtOpen = other.leasesAtOpen;
    honourGrace = other.honourGrace;
    claimsAnswer = other.claimsAnswer;
    ringSize = other.ringSize;
    overloadWait = other.overloadWait;
    windowBytesMax = other.windowBytesMax;
    leaseCountMax = other.leaseCountMax;
    parkedClaimCountMax = other.parkedClaimCountMax;
    awaitCountMax = other.awaitCountMax;
    queueIdle = other.queueIdle;
    emptyQueueKept = other.emptyQueueKept;
    bufferedSyncInterval = other.bufferedSyncInterval;
    stallThreshold = other.stallThreshold;
    futureExecutor = other.futureExecutor;
    clock = other.clock;
    randomSeed = other.randomSeed;
    spreadBackoffs = other.spreadBackoffs;
    processStart = other.processStart;
    listeners = other.listeners;
    name = other.name;
    management = other.management;
    retentionListener = other.retentionListener;
    closeAtShutdown = other.closeAtShutdown;
    reopenAfter = other.reopenAfter;
    callTimeout = other.callTimeout;
  }

  /** What the function makes of these; all of its changes have to be in its answer. */
  public EngineOptions changed(UnaryOperator<EngineOptions> change) {
    return applied(new EngineOptions(this), change);
  }

  /** What holds when a call returns that asks for nothing else. */
  public EngineOptions durability(Durability value) {
    EngineOptions changed = new EngineOptions(this);
    changed.durability = Objects.requireNonNull(value, "durability");
    return changed;
  }

  /** What becomes of leases after an unclean stop; those of a shared store hold after any. */
  public EngineOptions leasesAtOpen(LeasesAtOpen value) {
    EngineOptions changed = new EngineOptions(this);
    changed.leasesAtOpen = Objects.requireNonNull(value, "leasesAtOpen");
    return changed;
  }

  /** How much longer than its duration an honoured lease holds after an opening. */
  public EngineOptions honourGrace(Duration value) {
    EngineOptions changed = new EngineOptions(this);
    changed.honourGrace = Limits.inRange("honourGrace", value, Duration.ZERO, Limits.LEASE_MAX);
    return changed;
  }

  /** When a claim on a backlog is answered; with honoured leases always after the commit. */
  public EngineOptions claimsAnswer(ClaimsAnswer value) {
    EngineOptions changed = new EngineOptions(this);
    changed.claimsAnswer = Objects.requireNonNull(value, "claimsAnswer");
    return changed;
  }

  /** How many requests may queue before callers wait; rounded up to a power of two. */
  public EngineOptions ringSize(int value) {
    EngineOptions changed = new EngineOptions(this);
    changed.ringSize = (int) Limits.inRange("ringSize", value, 2, RING_SIZE_MAX);
    return changed;
  }

  /** How long a caller waits for room among the queued requests, or among the reads under way. */
  public EngineOptions overloadWait(Duration value) {
    EngineOptions changed = new EngineOptions(this);
    changed.overloadWait = Limits.delay("overloadWait", value);
    return changed;
  }

  /** Memory for the ready jobs of all queues that are kept at hand, in bytes. */
  public EngineOptions windowBytesMax(long value) {
    EngineOptions changed = new EngineOptions(this);
    changed.windowBytesMax =
        Limits.inRange("windowBytesMax", value, WINDOW_BYTES_LEAST, Long.MAX_VALUE);
    return changed;
  }

  /** How many leases may be held at once; claims wait beyond it. */
  public EngineOptions leaseCountMax(int value) {
    EngineOptions changed = new EngineOptions(this);
    changed.leaseCountMax = (int) Limits.inRange("leaseCountMax", value, 1, 10_000_000);
    return changed;
  }

  /** How many claims may wait at once; more are refused with {@link EngineOverloadedException}. */
  public EngineOptions parkedClaimCountMax(int value) {
    EngineOptions changed = new EngineOptions(this);
    changed.parkedClaimCountMax = (int) Limits.inRange("parkedClaimCountMax", value, 1, 10_000_000);
    return changed;
  }

  /** How many waits for ends of jobs there may be; more get {@link EngineOverloadedException}. */
  public EngineOptions awaitCountMax(int value) {
    EngineOptions changed = new EngineOptions(this);
    changed.awaitCountMax = (int) Limits.inRange("awaitCountMax", value, 1, 10_000_000);
    return changed;
  }

  /** Keeps queues in memory so long after their last use, if an eighth of the heap has room. */
  public EngineOptions queueIdle(Duration value) {
    EngineOptions changed = new EngineOptions(this);
    changed.queueIdle = Limits.delay("queueIdle", value);
    return changed;
  }

  /** How long an empty queue is kept that nobody configured. */
  public EngineOptions emptyQueueKept(Duration value) {
    EngineOptions changed = new EngineOptions(this);
    changed.emptyQueueKept = Limits.delay("emptyQueueKept", value);
    return changed;
  }

  /** The longest that a buffered effect stays unsynced. */
  public EngineOptions bufferedSyncInterval(Duration value) {
    EngineOptions changed = new EngineOptions(this);
    changed.bufferedSyncInterval =
        Limits.inRange("bufferedSyncInterval", value, Duration.ofMillis(1), Duration.ofMinutes(10));
    return changed;
  }

  /**
   * An absence of the engine's thread longer than this (stopped process, slow disk) moves all
   * running deadlines: a lease lasts at most twice its length and the longest single absence.
   */
  public EngineOptions stallThreshold(Duration value) {
    EngineOptions changed = new EngineOptions(this);
    changed.stallThreshold = Limits.delay("stallThreshold", value);
    return changed;
  }

  /**
   * Where futures are completed and listeners told; without it on one thread of the engine, where a
   * blocking call of the engine is refused with {@link IllegalStateException}. That thread calls
   * the executor: one that runs what it is given on its caller is as if there were none. What it
   * refuses, or has not begun after some ten seconds (one if the engine is closed), is run there.
   */
  public EngineOptions futureExecutor(Executor value) {
    EngineOptions changed = new EngineOptions(this);
    changed.futureExecutor = Optional.of(Objects.requireNonNull(value, "futureExecutor"));
    return changed;
  }

  /** Where the time comes from. */
  public EngineOptions clock(EngineClock value) {
    EngineOptions changed = new EngineOptions(this);
    changed.clock = Objects.requireNonNull(value, "clock");
    return changed;
  }

  /** Makes the spread of backoffs repeatable. */
  public EngineOptions randomSeed(long value) {
    EngineOptions changed = new EngineOptions(this);
    changed.randomSeed = Optional.of(value);
    return changed;
  }

  /** Whether backoffs are spread as their jitter says, as they are unless a test wants none. */
  public EngineOptions spreadBackoffs(boolean value) {
    EngineOptions changed = new EngineOptions(this);
    changed.spreadBackoffs = value;
    return changed;
  }

  /** When this process began: for tests that play several in one; else what the system says. */
  public EngineOptions processStart(Instant value) {
    EngineOptions changed = new EngineOptions(this);
    changed.processStart = Optional.of(Limits.instant("processStart", value));
    return changed;
  }

  /** Is told, beside those given before, what becomes of the engine. */
  public EngineOptions listener(EngineListener value) {
    EngineOptions changed = new EngineOptions(this);
    changed.listeners =
        Stream.concat(listeners.stream(), Stream.of(Objects.requireNonNull(value, "listener")))
            .toList();
    return changed;
  }

  /** What the engine is called in tools, 1 to 200 bytes of UTF-8; without it its location. */
  public EngineOptions name(String value) {
    EngineOptions changed = new EngineOptions(this);
    changed.name = Optional.of(Limits.text("name", value, 1, Limits.NAME_BYTES_MAX));
    return changed;
  }

  /** How others may look at the running engine. */
  public EngineOptions management(Management value) {
    EngineOptions changed = new EngineOptions(this);
    changed.management = Objects.requireNonNull(value, "management");
    return changed;
  }

  /** Who is given completed and dead jobs before they are removed at the end of their retention. */
  public EngineOptions retentionListener(RetentionListener value) {
    EngineOptions changed = new EngineOptions(this);
    changed.retentionListener = Optional.of(Objects.requireNonNull(value, "retentionListener"));
    return changed;
  }

  /**
   * Whether the engine closes itself when the JVM shuts down in an orderly way (its last thread has
   * ended, {@code System.exit}, SIGTERM, SIGINT): it does unless told otherwise. If it is not
   * closed, or its store hangs for {@link #SHUTDOWN_WAIT_MAX} then, its jobs count as crashed.
   *
   * <p>The JVM does all that is to be done at its shutdown at the same time. A program that needs
   * the engine there, to let running jobs end, turns this off and closes the engine afterwards.
   */
  public EngineOptions closeAtShutdown(boolean value) {
    EngineOptions changed = new EngineOptions(this);
    changed.closeAtShutdown = value;
    return changed;
  }

  /**
   * When a poisoned engine opens its store again by itself: so long after the failure, then so long
   * after each attempt that failed. After the last one it waits for {@code reopen()}; with an empty
   * list it always does. An engine that has worked for longer than all of these together since its
   * last reopening begins the list anew. Want of memory or stack repeats the last wait.
   *
   * @param value at most {@value #REOPEN_COUNT_MAX} waits
   */
  public EngineOptions reopenAfter(List<Duration> value) {
    Objects.requireNonNull(value, "reopenAfter");
    Limits.inRange("number of waits in reopenAfter", value.size(), 0, REOPEN_COUNT_MAX);
    EngineOptions changed = new EngineOptions(this);
    changed.reopenAfter = value.stream().map(wait -> Limits.delay("reopenAfter", wait)).toList();
    return changed;
  }

  /**
   * The longest that a call that changes something, or claims, waits for its answer, beside what a
   * claim is to wait for a job and what a full ring costs ({@link #overloadWait}), by the system's
   * clock. Then it, or its future, ends with {@link OutcomeUnknownException}. Without it a call
   * waits for as long as it takes, or for {@link #SHARED_CALL_TIMEOUT} on a shared store.
   */
  public EngineOptions callTimeout(Duration value) {
    EngineOptions changed = new EngineOptions(this);
    changed.callTimeout =
        Optional.of(Limits.inRange("callTimeout", value, Duration.ofMillis(1), Limits.DELAY_MAX));
    return changed;
  }

  /**
   * These options as an engine works by them on a store that another owner may take over at any
   * moment: leases are honoured, for their workers may be anywhere, and claims are answered after
   * their commit, which proves that nobody has. Calls end after {@link #SHARED_CALL_TIMEOUT} unless
   * said otherwise, for the store may be away.
   *
   * @throws IllegalArgumentException the other was asked for
   */
  public EngineOptions forSharedStore() {
    requireShared("leasesAtOpen", leasesAtOpen, LeasesAtOpen.HONOUR);
    requireShared("claimsAnswer", claimsAnswer, ClaimsAnswer.AFTER_COMMIT);
    EngineOptions shared =
        leasesAtOpen(LeasesAtOpen.HONOUR).claimsAnswer(ClaimsAnswer.AFTER_COMMIT);
    return callTimeout.isPresent() ? shared : shared.callTimeout(SHARED_CALL_TIMEOUT);
  }

  public Durability durability() {
    return durability;
  }

  public LeasesAtOpen leasesAtOpen() {
    return Objects.requireNonNullElse(leasesAtOpen, LeasesAtOpen.RECLAIM);
  }

  public Duration honourGrace() {
    return honourGrace;
  }

  public ClaimsAnswer claimsAnswer() {
    return Objects.requireNonNullElse(claimsAnswer, ClaimsAnswer.BEFORE_COMMIT);
  }

  public int ringSize() {
    return ringSize;
  }

  public Duration overloadWait() {
    return overloadWait;
  }

  public long windowBytesMax() {
    return windowBytesMax;
  }

  public int leaseCountMax() {
    return leaseCountMax;
  }

  public int parkedClaimCountMax() {
    return parkedClaimCountMax;
  }

  public int awaitCountMax() {
    return awaitCountMax;
  }

  public Duration queueIdle() {
    return queueIdle;
  }

  public Duration emptyQueueKept() {
    return emptyQueueKept;
  }

  public Duration bufferedSyncInterval() {
    return bufferedSyncInterval;
  }

  public Duration stallThreshold() {
    return stallThreshold;
  }

  public Optional<Executor> futureExecutor() {
    return futureExecutor;
  }

  public EngineClock clock() {
    return clock;
  }

  public Optional<Long> randomSeed() {
    return randomSeed;
  }

  public boolean spreadBackoffs() {
    return spreadBackoffs;
  }

  public Optional<Instant> processStart() {
    return processStart;
  }

  public List<EngineListener> listeners() {
    return listeners;
  }

  public Optional<String> name() {
    return name;
  }

  public Management management() {
    return management;
  }

  public Optional<RetentionListener> retentionListener() {
    return retentionListener;
  }

  public boolean closeAtShutdown() {
    return closeAtShutdown;
  }

  public List<Duration> reopenAfter() {
    return reopenAfter;
  }

  public Optional<Duration> callTimeout() {
    return callTimeout;
  }

  @Override
  protected Map<String, Object> values() {
    return values(
        "durability", durability,
        "leasesAtOpen", Optional.ofNullable(leasesAtOpen),
        "honourGrace", honourGrace,
        "claimsAnswer", Optional.ofNullable(claimsAnswer),
        "ringSize", ringSize,
        "overloadWait", overloadWait,
        "windowBytesMax", windowBytesMax,
        "leaseCountMax", leaseCountMax,
        "parkedClaimCountMax", parkedClaimCountMax,
        "awaitCountMax", awaitCountMax,
        "queueIdle", queueIdle,
        "emptyQueueKept", emptyQueueKept,
        "bufferedSyncInterval", bufferedSyncInterval,
        "stallThreshold", stallThreshold,
        "futureExecutor", futureExecutor,
        "clock", clock,
        "randomSeed", randomSeed,
        "spreadBackoffs", spreadBackoffs,
        "processStart", processStart,
        "listeners", listeners,
        "name", name,
        "management", management,
        "retentionListener", retentionListener,
        "closeAtShutdown", closeAtShutdown,
        "reopenAfter", reopenAfter,
        "callTimeout", callTimeout);
  }
}
