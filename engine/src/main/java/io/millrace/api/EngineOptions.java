package io.millrace.api;

import io.millrace.options.Checks;
import io.millrace.options.Option;
import io.millrace.options.Option.Check;
import io.millrace.options.OptionTable;
import io.millrace.options.OptionValues;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The options of an engine. Immutable: start from {@link #DEFAULT} and change what differs. */
public final class EngineOptions extends Options {

  public static final int RING_SIZE_MAX = 1 << 20;
  public static final long WINDOW_BYTES_LEAST = 64 << 10;

  /** The waits of a poisoned engine before each of its own attempts to reopen its store. */
  public static final List<Duration> REOPEN_AFTER_DEFAULT =
      List.of(Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(25));

  /** The most waits in {@link #reopenAfter}. */
  public static final int REOPEN_COUNT_MAX = 100;

  /** The longest time that the shutdown of the JVM waits for an engine to be closed. */
  public static final Duration SHUTDOWN_WAIT_MAX = Duration.ofMinutes(1);

  /**
   * The longest time that a call waits for its answer on a store that several hosts share, unless
   * set.
   */
  public static final Duration SHARED_CALL_TIMEOUT = Duration.ofSeconds(60);

  private static final OptionTable TABLE = new OptionTable();
  private static final Check<Duration, Duration> DELAY =
      Check.between(Duration.ZERO, Limits.DELAY_MAX);
  private static final Check<Integer, Integer> COUNT = Check.between(1, 10_000_000);

  private static final Option<Durability, Durability> DURABILITY =
      TABLE.add("durability", Durability.SYNCED);
  private static final Option<LeasesAtOpen, Optional<LeasesAtOpen>> LEASES_AT_OPEN =
      TABLE.optional("leasesAtOpen");
  private static final Option<Duration, Duration> HONOUR_GRACE =
      TABLE.add("honourGrace", Duration.ZERO, Check.between(Duration.ZERO, Limits.LEASE_MAX));
  private static final Option<ClaimsAnswer, Optional<ClaimsAnswer>> CLAIMS_ANSWER =
      TABLE.optional("claimsAnswer");
  private static final Option<Integer, Integer> RING_SIZE =
      TABLE.add("ringSize", 65_536, Check.between(2, RING_SIZE_MAX));
  private static final Option<Duration, Duration> OVERLOAD_WAIT =
      TABLE.add("overloadWait", Duration.ofSeconds(1), DELAY);
  private static final Option<Long, Long> WINDOW_BYTES_MAX =
      TABLE.add("windowBytesMax", 32L << 20, Check.between(WINDOW_BYTES_LEAST, Long.MAX_VALUE));
  private static final Option<Integer, Integer> LEASE_COUNT_MAX =
      TABLE.add("leaseCountMax", 1_000_000, COUNT);
  private static final Option<Integer, Integer> PARKED_CLAIM_COUNT_MAX =
      TABLE.add("parkedClaimCountMax", 100_000, COUNT);
  private static final Option<Integer, Integer> AWAIT_COUNT_MAX =
      TABLE.add("awaitCountMax", 100_000, COUNT);
  private static final Option<Duration, Duration> QUEUE_IDLE =
      TABLE.add("queueIdle", Duration.ofSeconds(60), DELAY);
  private static final Option<Duration, Duration> EMPTY_QUEUE_KEPT =
      TABLE.add("emptyQueueKept", Duration.ofHours(24), DELAY);
  private static final Option<Duration, Duration> BUFFERED_SYNC_INTERVAL =
      TABLE.add(
          "bufferedSyncInterval",
          Duration.ofMillis(50),
          Check.between(Duration.ofMillis(1), Duration.ofMinutes(10)));
  private static final Option<Duration, Duration> STALL_THRESHOLD =
      TABLE.add("stallThreshold", Duration.ofMillis(250), DELAY);
  private static final Option<Executor, Optional<Executor>> FUTURE_EXECUTOR =
      TABLE.optional("futureExecutor");
  private static final Option<EngineClock, EngineClock> CLOCK =
      TABLE.add("clock", EngineClock.SYSTEM);
  private static final Option<List<EngineListener>, List<EngineListener>> LISTENERS =
      TABLE.add("listeners", List.of());
  private static final Option<String, Optional<String>> NAME =
      TABLE.optional("name", Checks.text(Limits.NAME_BYTES_MAX));
  private static final Option<Management, Management> MANAGEMENT =
      TABLE.add("management", Management.JMX);
  private static final Option<RetentionListener, Optional<RetentionListener>> RETENTION_LISTENER =
      TABLE.optional("retentionListener");
  private static final Option<Boolean, Boolean> CLOSE_AT_SHUTDOWN =
      TABLE.add("closeAtShutdown", true);
  private static final Option<List<Duration>, List<Duration>> REOPEN_AFTER =
      TABLE.add("reopenAfter", REOPEN_AFTER_DEFAULT, EngineOptions::waits);
  private static final Option<Duration, Optional<Duration>> CALL_TIMEOUT =
      TABLE.optional("callTimeout", Check.between(Duration.ofMillis(1), Limits.DELAY_MAX));
  private static final Option<TestOptions, TestOptions> FOR_TESTS =
      TABLE.add("forTests", TestOptions.DEFAULT);

  /** The default options: synced, with leases reclaimed at a restart, and the documented limits. */
  public static final EngineOptions DEFAULT = new EngineOptions();

  private final OptionValues values;

  /** The treatment of the leases that are held when the engine stops. */
  public enum LeasesAtOpen {
    /**
     * The leases end: their workers died with the process. The jobs are ready again, and the
     * attempts count, unless the engine was closed, which hands the jobs back.
     */
    RECLAIM,
    /**
     * The leases are kept, since their workers live elsewhere: each gets its full duration again.
     */
    HONOUR
  }

  /** The moment when a claim is answered that finds jobs ready. */
  public enum ClaimsAnswer {
    /**
     * An immediate answer. The lease's own record is written with the next commit, or not at all if
     * the job is completed before.
     */
    BEFORE_COMMIT,
    /** An answer when the lease's own record is as durable as the engine promises. */
    AFTER_COMMIT
  }

  /** The ways in which others may look at a running engine. */
  public enum Management {
    /**
     * Access through an MBean in the process's platform MBean server, for tools on this machine.
     */
    JMX,
    /** Access through this process alone. */
    OFF
  }

  private EngineOptions() {
    values = OptionValues.of(TABLE);
  }

  private EngineOptions(EngineOptions other, OptionValues values) {
    super(other);
    this.values = values;
  }

  private <S> EngineOptions with(Option<S, ?> option, S value) {
    return new EngineOptions(this, values.with(option, value));
  }

  /**
   * Returns the options that the function makes of these. The function's result must contain all
   * changes that it made.
   *
   * @throws IllegalArgumentException the result lacks some of these changes
   */
  public EngineOptions changed(UnaryOperator<EngineOptions> change) {
    return applied(new EngineOptions(this, values), change);
  }

  /** Sets the guarantee that holds when a call returns, unless the call asks for another one. */
  public EngineOptions durability(Durability value) {
    return with(DURABILITY, value);
  }

  /**
   * Sets what happens to leases when the engine stops; {@link LeasesAtOpen#RECLAIM} unless set. On
   * a store that several owners share it is {@link LeasesAtOpen#HONOUR}, because the workers may be
   * anywhere, and opening an engine there with the other value is refused with {@link
   * IllegalArgumentException}.
   */
  public EngineOptions leasesAtOpen(LeasesAtOpen value) {
    return with(LEASES_AT_OPEN, value);
  }

  /**
   * Sets the time for which an honoured lease holds beyond its duration after an opening.
   *
   * @throws IllegalArgumentException the value is out of its range, zero to {@link
   *     Limits#LEASE_MAX}
   */
  public EngineOptions honourGrace(Duration value) {
    return with(HONOUR_GRACE, value);
  }

  /**
   * Sets when a claim is answered that finds jobs ready; {@link ClaimsAnswer#BEFORE_COMMIT} unless
   * set. With honoured leases it is always after the commit. So it is on a store that several
   * owners share, where the commit proves that nobody has taken the store over: opening an engine
   * there with the other value is refused with {@link IllegalArgumentException}.
   */
  public EngineOptions claimsAnswer(ClaimsAnswer value) {
    return with(CLAIMS_ANSWER, value);
  }

  /**
   * Sets the number of requests that may queue before callers wait; rounded up to a power of two.
   *
   * @throws IllegalArgumentException the value is out of its range, 2 to {@value #RING_SIZE_MAX}
   */
  public EngineOptions ringSize(int value) {
    return with(RING_SIZE, value);
  }

  /**
   * Sets how long a caller waits for room among the queued requests, or among the reads under way.
   *
   * @throws IllegalArgumentException the value is out of its range, zero to {@link
   *     Limits#DELAY_MAX}
   */
  public EngineOptions overloadWait(Duration value) {
    return with(OVERLOAD_WAIT, value);
  }

  /**
   * Sets the most memory for the ready jobs that are kept at hand, of all queues together, in
   * bytes.
   *
   * @throws IllegalArgumentException the value is out of its range, {@value #WINDOW_BYTES_LEAST}
   *     and more
   */
  public EngineOptions windowBytesMax(long value) {
    return with(WINDOW_BYTES_MAX, value);
  }

  /**
   * Sets the most leases that may be held at once. When they are used up, claims wait.
   *
   * @throws IllegalArgumentException the value is out of its range, 1 to 10,000,000
   */
  public EngineOptions leaseCountMax(int value) {
    return with(LEASE_COUNT_MAX, value);
  }

  /**
   * Sets the most claims that may wait at once; more are refused with {@link
   * EngineOverloadedException}.
   *
   * @throws IllegalArgumentException the value is out of its range, 1 to 10,000,000
   */
  public EngineOptions parkedClaimCountMax(int value) {
    return with(PARKED_CLAIM_COUNT_MAX, value);
  }

  /**
   * Sets the most waits for ends of jobs at once; more get {@link EngineOverloadedException}.
   *
   * @throws IllegalArgumentException the value is out of its range, 1 to 10,000,000
   */
  public EngineOptions awaitCountMax(int value) {
    return with(AWAIT_COUNT_MAX, value);
  }

  /**
   * Sets how long queues stay in memory after their last use, while an eighth of the heap has room
   * for them.
   *
   * @throws IllegalArgumentException the value is out of its range, zero to {@link
   *     Limits#DELAY_MAX}
   */
  public EngineOptions queueIdle(Duration value) {
    return with(QUEUE_IDLE, value);
  }

  /**
   * Sets how long an empty queue is kept that was never configured.
   *
   * @throws IllegalArgumentException the value is out of its range, zero to {@link
   *     Limits#DELAY_MAX}
   */
  public EngineOptions emptyQueueKept(Duration value) {
    return with(EMPTY_QUEUE_KEPT, value);
  }

  /**
   * Sets the longest time that a buffered change stays unsynced.
   *
   * @throws IllegalArgumentException the value is out of its range, 1 ms to 10 minutes
   */
  public EngineOptions bufferedSyncInterval(Duration value) {
    return with(BUFFERED_SYNC_INTERVAL, value);
  }

  /**
   * Sets the longest absence of the engine's thread that counts as none. A longer one (stopped
   * process, slow disk) moves all running deadlines. A lease lasts at most twice its length plus
   * the longest single absence.
   *
   * @throws IllegalArgumentException the value is out of its range, zero to {@link
   *     Limits#DELAY_MAX}
   */
  public EngineOptions stallThreshold(Duration value) {
    return with(STALL_THRESHOLD, value);
  }

  /**
   * Sets the executor on which futures are completed and listeners are called. Without it that is
   * one thread of the engine, where a blocking call of the engine is refused with {@link
   * IllegalStateException}. That thread calls the executor: an executor that runs tasks on its
   * caller's thread has the same effect as none. Tasks that the executor refuses, or has not begun
   * after some ten seconds (one second if the engine is closed), run on the engine's thread.
   */
  public EngineOptions futureExecutor(Executor value) {
    return with(FUTURE_EXECUTOR, value);
  }

  /** Sets the source of time. */
  public EngineOptions clock(EngineClock value) {
    return with(CLOCK, value);
  }

  /** Adds a listener to changes in the engine's condition, beside those added before. */
  public EngineOptions listener(EngineListener value) {
    Objects.requireNonNull(value, "listener");
    return with(LISTENERS, Stream.concat(listeners().stream(), Stream.of(value)).toList());
  }

  /**
   * Sets the engine's name in tools, 1 to 200 bytes of UTF-8. Without it the name is its location.
   *
   * @throws IllegalArgumentException the text is out of this range, or is not valid Unicode
   */
  public EngineOptions name(String value) {
    return with(NAME, value);
  }

  /** Sets how others may look at the running engine. */
  public EngineOptions management(Management value) {
    return with(MANAGEMENT, value);
  }

  /**
   * Sets the listener that is given completed and dead jobs before they are removed at the end of
   * their retention.
   */
  public EngineOptions retentionListener(RetentionListener value) {
    return with(RETENTION_LISTENER, value);
  }

  /**
   * Sets whether the engine closes itself when the JVM shuts down in an orderly way (its last
   * thread has ended, {@code System.exit}, SIGTERM, SIGINT). It does by default. If the engine is
   * not closed, or its store then hangs for {@link #SHUTDOWN_WAIT_MAX}, its jobs count as crashed.
   *
   * <p>The JVM runs all of its shutdown work at the same time. A program that still needs the
   * engine then, to let running jobs end, turns this off and closes the engine afterwards.
   */
  public EngineOptions closeAtShutdown(boolean value) {
    return with(CLOSE_AT_SHUTDOWN, value);
  }

  /**
   * Sets when a poisoned engine reopens its store by itself: after the first wait since the
   * failure, then after one further wait since each failed attempt. After the last attempt, or at
   * once if the list is empty, the engine waits for {@code reopen()}. An engine that has worked for
   * longer than all of these waits together since its last reopening begins the list anew. After a
   * lack of memory or stack the last wait is repeated.
   *
   * @param value at most {@value #REOPEN_COUNT_MAX} waits
   * @throws IllegalArgumentException there are more waits, or one is not from zero to {@link
   *     Limits#DELAY_MAX}
   */
  public EngineOptions reopenAfter(List<Duration> value) {
    return with(REOPEN_AFTER, value);
  }

  /**
   * Sets the longest time that a call waits for its answer if it changes something, or claims. It
   * comes on top of the time that a claim may wait for a job and of the time that a full ring costs
   * ({@link #overloadWait}), and is measured by the system's clock. When it is over, the call or
   * its future ends with {@link OutcomeUnknownException}. Without it a call waits for as long as it
   * takes, or for {@link #SHARED_CALL_TIMEOUT} on a shared store.
   *
   * @throws IllegalArgumentException the value is out of its range, 1 ms to {@link
   *     Limits#DELAY_MAX}
   */
  public EngineOptions callTimeout(Duration value) {
    return with(CALL_TIMEOUT, value);
  }

  /**
   * Sets what tests alone have reasons to set. The function changes the options for tests that were
   * set before.
   *
   * @throws IllegalArgumentException as {@link TestOptions#changed}
   */
  public EngineOptions forTests(UnaryOperator<TestOptions> change) {
    return with(FOR_TESTS, forTests().changed(change));
  }

  private static List<Duration> waits(String name, List<Duration> value) {
    Checks.inRange("number of waits in " + name, value.size(), 0, REOPEN_COUNT_MAX);
    return value.stream().map(wait -> Checks.upTo(name, wait, Limits.DELAY_MAX)).toList();
  }

  public Durability durability() {
    return values.get(DURABILITY);
  }

  public Optional<LeasesAtOpen> leasesAtOpen() {
    return values.get(LEASES_AT_OPEN);
  }

  public Duration honourGrace() {
    return values.get(HONOUR_GRACE);
  }

  public Optional<ClaimsAnswer> claimsAnswer() {
    return values.get(CLAIMS_ANSWER);
  }

  public int ringSize() {
    return values.get(RING_SIZE);
  }

  public Duration overloadWait() {
    return values.get(OVERLOAD_WAIT);
  }

  public long windowBytesMax() {
    return values.get(WINDOW_BYTES_MAX);
  }

  public int leaseCountMax() {
    return values.get(LEASE_COUNT_MAX);
  }

  public int parkedClaimCountMax() {
    return values.get(PARKED_CLAIM_COUNT_MAX);
  }

  public int awaitCountMax() {
    return values.get(AWAIT_COUNT_MAX);
  }

  public Duration queueIdle() {
    return values.get(QUEUE_IDLE);
  }

  public Duration emptyQueueKept() {
    return values.get(EMPTY_QUEUE_KEPT);
  }

  public Duration bufferedSyncInterval() {
    return values.get(BUFFERED_SYNC_INTERVAL);
  }

  public Duration stallThreshold() {
    return values.get(STALL_THRESHOLD);
  }

  public Optional<Executor> futureExecutor() {
    return values.get(FUTURE_EXECUTOR);
  }

  public EngineClock clock() {
    return values.get(CLOCK);
  }

  public List<EngineListener> listeners() {
    return values.get(LISTENERS);
  }

  public Optional<String> name() {
    return values.get(NAME);
  }

  public Management management() {
    return values.get(MANAGEMENT);
  }

  public Optional<RetentionListener> retentionListener() {
    return values.get(RETENTION_LISTENER);
  }

  public boolean closeAtShutdown() {
    return values.get(CLOSE_AT_SHUTDOWN);
  }

  public List<Duration> reopenAfter() {
    return values.get(REOPEN_AFTER);
  }

  public Optional<Duration> callTimeout() {
    return values.get(CALL_TIMEOUT);
  }

  public TestOptions forTests() {
    return values.get(FOR_TESTS);
  }

  @Override
  protected Map<String, Object> values() {
    return values.byName();
  }
}
