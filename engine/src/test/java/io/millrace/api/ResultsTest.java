package io.millrace.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.millrace.MillraceException;
import io.millrace.api.EnqueueResult.BatchOver;
import io.millrace.api.EnqueueResult.Draining;
import io.millrace.api.EnqueueResult.QueueFull;
import io.millrace.spi.StoreException;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Results say whether it was done, and throw what says why not; all exceptions have one root. */
class ResultsTest {

  private static final QueueName MAIL = new QueueName("mail", "acme");
  private static final Enqueued ENQUEUED = new Enqueued(new JobId(1, 2));
  private static final QueueFull FULL = new QueueFull(MAIL, 7);
  private static final Draining DRAINING = new Draining(MAIL);
  private static final BatchOver BATCH_OVER = new BatchOver(MAIL, new BatchId(10));

  private static final String STALE =
      " was not done: the lease is no longer the job's current one; stop working on it";
  private static final String QUEUE_LEASE_OVER =
      " was not done: the lease on the queue is over; lease it again to go on";
  private static final String GONE = " was not done: the job no longer exists; stop working on it";

  /**
   * A result and what it is to say.
   *
   * @param given what it gives if it is done
   * @param message what its exception says; empty if it is done
   */
  private record Row(
      Result<?> result,
      Object given,
      Class<? extends MillraceException> exception,
      String message) {

    @Override
    public String toString() {
      return result.getClass().getName().replaceFirst(".*\\.", "") + " " + result;
    }
  }

  private static Row done(Result<?> result) {
    return done(result, result);
  }

  private static Row done(Result<?> result, Object given) {
    return new Row(result, given, NotDoneException.class, "");
  }

  private static Row lost(Result<?> result, String message) {
    return new Row(result, result, LeaseLostException.class, message);
  }

  private static Row refused(Result<?> result, String message) {
    return new Row(result, result, NotDoneException.class, message);
  }

  private static Row jobNot(String act, Result<?> result) {
    return refused(result, "job was not " + act + ": " + result);
  }

  private static Row complete(CompleteResult result) {
    return switch (result) {
      case COMPLETED -> done(result);
      case STALE_LEASE -> lost(result, "complete" + STALE);
      case GONE -> lost(result, "complete" + GONE);
    };
  }

  private static Row release(ReleaseResult result) {
    return switch (result) {
      case RELEASED, CANCELLED -> done(result);
      case STALE_LEASE -> lost(result, "release or snooze" + STALE);
      case GONE -> lost(result, "release or snooze" + GONE);
    };
  }

  private static Row released(JobReleaseResult result) {
    return switch (result) {
      case RELEASED, CANCELLED -> done(result);
      case NOT_RUNNING, GONE -> jobNot("released", result);
    };
  }

  private static Row cancel(CancelResult result) {
    return switch (result) {
      case CANCELLED, REQUESTED -> done(result);
      case RUNNING, GONE -> jobNot("cancelled", result);
    };
  }

  private static Row drain(DrainResult result) {
    return switch (result) {
      case EMPTY -> done(result);
      case DRAINING -> refused(result, "queue is not empty yet: DRAINING");
    };
  }

  private static Row reschedule(RescheduleResult result) {
    return switch (result) {
      case RESCHEDULED -> done(result);
      case RUNNING, WAITING, DEAD, GONE -> jobNot("rescheduled", result);
    };
  }

  private static Row update(UpdateResult result) {
    return switch (result) {
      case UPDATED -> done(result);
      case RUNNING, GONE -> jobNot("updated", result);
    };
  }

  private static Row wait(WaitResult result) {
    return switch (result) {
      case WAITING, SIGNALLED, TIMED_OUT, BATCH_OVER, CANCELLED -> done(result);
      case STALE_LEASE -> lost(result, "waitFor" + STALE);
      case GONE -> lost(result, "waitFor" + GONE);
    };
  }

  private static Row signal(SignalResult result) {
    return switch (result) {
      case WOKEN, KEPT -> done(result);
      case INBOX_FULL ->
          refused(result, "signal was not taken: as many are kept for the job as may be: most=100");
      case GONE -> refused(result, "signal was not taken: the job is gone");
    };
  }

  private static Row stuck(StuckResult result) {
    return switch (result) {
      case FAILED -> done(result);
      case NOT_WAITING -> refused(result, "job was not failed: it waits for no signal");
      case GONE -> refused(result, "job was not failed: it is gone");
    };
  }

  private static Stream<Row> fails() {
    FailResult retried = new FailResult.Retried(Instant.EPOCH);
    FailResult dead = new FailResult.Died();
    FailResult cancelled = new FailResult.Cancelled();
    FailResult stale = new FailResult.StaleLease();
    FailResult gone = new FailResult.Gone();
    return Stream.of(
        done(retried),
        done(dead),
        done(cancelled),
        lost(stale, "fail" + STALE),
        lost(gone, "fail" + GONE));
  }

  private static Stream<Row> redrives() {
    RedriveResult redriven = new RedriveResult.Redriven();
    List<RedriveResult> others =
        List.of(
            new RedriveResult.NotDead(),
            new RedriveResult.Duplicate(new JobId(1, 2)),
            new RedriveResult.Gone());
    return Stream.concat(
        Stream.of(done(redriven)),
        others.stream().map(other -> refused(other, "job was not redriven: " + other)));
  }

  private static Stream<Row> extensions() {
    ExtendResult extended = new ExtendResult.Extended(Duration.ofSeconds(3), true);
    ExtendResult stale = new ExtendResult.StaleLease();
    ExtendResult gone = new ExtendResult.Gone();
    return Stream.of(
        done(extended),
        lost(stale, "extend or checkpoint" + STALE),
        lost(gone, "extend or checkpoint" + GONE));
  }

  private static Stream<Row> enqueues() {
    return Stream.of(
        done(ENQUEUED),
        new Row(
            FULL,
            FULL,
            EnqueueRefusedException.class,
            "queue is full, try again when jobs of it are done, or raise its depthMax of 7:"
                + " queue=mail@acme"),
        new Row(
            DRAINING,
            DRAINING,
            EnqueueRefusedException.class,
            "queue is being drained and takes no jobs until endDrain: queue=mail@acme"),
        new Row(
            BATCH_OVER,
            BATCH_OVER,
            EnqueueRefusedException.class,
            "batch 000000000000000a takes no more jobs, since it is over or cancelled, or is not"
                + " there; begin another: queue=mail@acme"));
  }

  private static Stream<Row> transactions() {
    TransactionResult<String> committed = new TransactionResult.Committed<>("sold");
    TransactionResult<String> stale = new TransactionResult.StaleLease<>(new JobId(1, 2));
    TransactionResult<String> refused = new TransactionResult.Refused<>(DRAINING);
    TransactionResult<String> conflict = new TransactionResult.Conflict<>("row: key=boots", 100);
    return Stream.of(
        done(committed, "sold"),
        new Row(
            stale,
            stale,
            LeaseLostException.class,
            "transaction was not carried out: the lease is no longer the job's current one, stop"
                + " working on it: job="
                + new JobId(1, 2)),
        new Row(
            refused,
            refused,
            EnqueueRefusedException.class,
            "queue is being drained and takes no jobs until endDrain: queue=mail@acme"),
        new Row(
            conflict,
            conflict,
            TransactionConflictException.class,
            "transaction was not carried out: others were faster each time, try it again:"
                + " tries=100, changed last: row: key=boots"));
  }

  private static Stream<Row> queueLeases() {
    QueueLease lease =
        (QueueLease)
            Proxy.newProxyInstance(
                ResultsTest.class.getClassLoader(),
                new Class<?>[] {QueueLease.class},
                (proxy, method, arguments) -> null);
    QueueLeaseResult granted = new QueueLeaseResult.Granted(lease);
    QueueLeaseResult leased = new QueueLeaseResult.QueueLeased(MAIL, "ada", Instant.EPOCH);
    return Stream.of(
        done(granted, lease),
        new Row(
            leased,
            leased,
            QueueLeasedException.class,
            "queue is leased: queue=mail@acme, worker=ada, until=1970-01-01T00:00:00Z"));
  }

  private static Stream<Row> queueClaims() {
    List<Lease> leases = List.of();
    QueueClaimResult claimed = new QueueClaimResult.Claimed(leases);
    QueueClaimResult stale = new QueueClaimResult.StaleLease();
    return Stream.of(done(claimed, leases), lost(stale, "claim" + QUEUE_LEASE_OVER));
  }

  private static Stream<Row> queueExtensions() {
    QueueExtendResult extended = new QueueExtendResult.Extended(Duration.ofSeconds(3));
    QueueExtendResult stale = new QueueExtendResult.StaleLease();
    return Stream.of(done(extended), lost(stale, "extend" + QUEUE_LEASE_OVER));
  }

  private static Stream<Row> rowChanges() {
    RowResult<String> done = new RowResult.Done<>();
    RowResult<String> none = new RowResult.Other<>(Optional.empty());
    return Stream.of(
        done(done),
        refused(
            none,
            "row was not changed, for it is not as expected: there=false; look at it and try"
                + " again"));
  }

  private static <E extends Enum<E>> Stream<Row> all(Class<E> type, Function<E, Row> row) {
    return Arrays.stream(type.getEnumConstants()).map(row);
  }

  static Stream<Row> rows() {
    return Stream.of(
            all(CompleteResult.class, ResultsTest::complete),
            all(ReleaseResult.class, ResultsTest::release),
            all(JobReleaseResult.class, ResultsTest::released),
            all(CancelResult.class, ResultsTest::cancel),
            all(DrainResult.class, ResultsTest::drain),
            redrives(),
            all(RescheduleResult.class, ResultsTest::reschedule),
            all(UpdateResult.class, ResultsTest::update),
            all(WaitResult.class, ResultsTest::wait),
            all(SignalResult.class, ResultsTest::signal),
            all(StuckResult.class, ResultsTest::stuck),
            fails(),
            extensions(),
            enqueues(),
            queueLeases(),
            queueClaims(),
            queueExtensions(),
            rowChanges(),
            transactions())
        .flatMap(rows -> rows);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void result_each_saysWhetherItWasDoneAndThrowsIfNot(Row row) {
    assertThat(row.result().isDone()).isEqualTo(row.message().isEmpty());
    if (row.result().isDone()) {
      assertThat(row.result().orThrow()).isSameAs(row.given());
    } else {
      assertThat(catchThrowable(() -> row.result().orThrow()))
          .isExactlyInstanceOf(row.exception())
          .isInstanceOf(NotDoneException.class)
          .hasMessage(row.message());
    }
  }

  static Stream<Arguments> sealedResults() {
    return Stream.of(
        Arguments.of(FailResult.class, fails()),
        Arguments.of(ExtendResult.class, extensions()),
        Arguments.of(RedriveResult.class, redrives()),
        Arguments.of(QueueLeaseResult.class, queueLeases()),
        Arguments.of(QueueClaimResult.class, queueClaims()),
        Arguments.of(QueueExtendResult.class, queueExtensions()),
        Arguments.of(RowResult.class, rowChanges()),
        Arguments.of(TransactionResult.class, transactions()),
        Arguments.of(EnqueueResult.class, enqueues()));
  }

  @ParameterizedTest
  @MethodSource("sealedResults")
  void sealedResult_everyRecord_isTriedHere(Class<?> type, Stream<Row> rows) {
    Set<Class<?>> tried = rows.map(row -> row.result().getClass()).collect(Collectors.toSet());

    assertThat(tried).isEqualTo(leaves(type).collect(Collectors.toSet()));
  }

  private static Stream<Class<?>> leaves(Class<?> type) {
    return type.isSealed()
        ? Arrays.stream(type.getPermittedSubclasses()).flatMap(ResultsTest::leaves)
        : Stream.of(type);
  }

  @Test
  void results_allOfThisPackage_areTriedHere() throws Exception {
    Set<String> tried =
        rows()
            .map(row -> row.result() instanceof Enqueued ? EnqueueResult.class : row.result())
            .map(result -> result instanceof Class<?> type ? type : result.getClass())
            .map(type -> type.getEnclosingClass() == null ? type : type.getEnclosingClass())
            .map(Class::getSimpleName)
            .collect(Collectors.toSet());

    Set<String> named =
        classes(CompleteResult.class).stream()
            .map(Class::getSimpleName)
            .filter(name -> name.endsWith("Result") && !name.equals("Result"))
            .collect(Collectors.toSet());

    assertThat(tried).isEqualTo(named);
  }

  @Test
  void refusedOne_exception_hasItsResult() {
    assertThatThrownBy(FULL::orThrow)
        .isInstanceOfSatisfying(
            EnqueueRefusedException.class,
            refused -> assertThat(refused.results()).containsExactly(FULL));
  }

  @Test
  void allOrThrow_allDone_areGivenInOrder() {
    Enqueued other = new Enqueued(new JobId(3, 4));

    assertThat(EnqueueResult.allOrThrow(List.of())).isEmpty();
    assertThat(EnqueueResult.allOrThrow(List.of(ENQUEUED, other))).containsExactly(ENQUEUED, other);
  }

  @Test
  void allOrThrow_someRefused_exceptionTellsHowManyAndWhich() {
    List<EnqueueResult> results = new ArrayList<>(List.of(ENQUEUED, FULL, FULL));

    assertThatThrownBy(() -> EnqueueResult.allOrThrow(results))
        .isInstanceOfSatisfying(
            EnqueueRefusedException.class,
            refused -> {
              results.clear();
              assertThat(refused.results()).containsExactly(ENQUEUED, FULL, FULL);
              assertThat(refused.results().stream().filter(EnqueueResult::isDone))
                  .containsExactly(ENQUEUED);
            })
        .hasMessage(
            "queue is full, try again when jobs of it are done, or raise its depthMax of 7:"
                + " queue=mail@acme, refused=2 of 3");
  }

  @Test
  void exceptions_oursAndTheStores_haveOneRoot() throws Exception {
    List<Class<?>> exceptions = new ArrayList<>();
    for (Class<?> anchor : List.of(CompleteResult.class, StoreException.class)) {
      exceptions.addAll(
          classes(anchor).stream().filter(Throwable.class::isAssignableFrom).toList());
    }

    assertThat(exceptions)
        .contains(
            EngineClosedException.class,
            EngineOverloadedException.class,
            EnginePoisonedException.class,
            OutcomeUnknownException.class,
            CorruptDataException.class,
            LeaseLostException.class,
            EnqueueRefusedException.class,
            StoreException.class)
        .allSatisfy(type -> assertThat(type).isAssignableTo(MillraceException.class));
    assertThat(RuntimeException.class).isAssignableFrom(MillraceException.class);
  }

  /** The public classes of the package of this one, nested ones left out. */
  private static List<Class<?>> classes(Class<?> anchor) throws IOException, URISyntaxException {
    URI where = anchor.getResource(anchor.getSimpleName() + ".class").toURI();
    if (where.getScheme().equals("jar")) {
      try (FileSystem jar = FileSystems.newFileSystem(where, Map.of())) {
        return classes(anchor, jar.getPath(anchor.getPackageName().replace('.', '/')));
      }
    }
    return classes(anchor, Path.of(where).getParent());
  }

  private static List<Class<?>> classes(Class<?> anchor, Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".class") && !name.contains("$") && !name.contains("-"))
          .map(name -> loaded(anchor, name.substring(0, name.length() - ".class".length())))
          .filter(type -> Modifier.isPublic(type.getModifiers()))
          .<Class<?>>map(type -> type)
          .toList();
    }
  }

  private static Class<?> loaded(Class<?> anchor, String simpleName) {
    try {
      return Class.forName(anchor.getPackageName() + "." + simpleName);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(simpleName, e);
    }
  }
}
