package io.millrace.worker;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Codec;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.worker.LogRecorder.Line;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the log of a worker tells of the jobs that fail. */
@Timeout(60)
@Tag("slow")
class FailureLogTest extends WorkerRig {

  private static final Pattern OTHERS = Pattern.compile("and ([0-9,]+) ");

  private final LogRecorder log = new LogRecorder();
  private final AtomicLong nowNs = new AtomicLong();

  private WorkerSetup setup() {
    WorkerSetup setup = Worker.on(queues).name("w").listener(told);
    setup.failureLogger = Optional.of(log.logger());
    setup.failureClock = nowNs::get;
    return setup;
  }

  private static void fail(String text, JobContext job) throws IOException {
    throw new IOException(text);
  }

  private Line onlyLine() {
    await("a line is written", () -> !log.lines().isEmpty());
    assertThat(log.lines()).hasSize(1);
    return log.lines().get(0);
  }

  @Test
  void job_failsForTheLastTime_isAWarningWithTheWholeStack() {
    setup().handle(MAIL, FailureLogTest::fail).start();

    JobId id = queues.enqueue(MAIL, "no route", o -> o.maxAttempts(1)).jobId();

    Line line = onlyLine();
    assertThat(line.level()).isEqualTo("warn");
    assertThat(line.text())
        .isEqualTo(
            "job died: worker=w, type=mail, job="
                + id
                + ", attempt=1/1, outcome=DIED, error=java.io.IOException: no route");
    assertThat(line.stack()).isInstanceOf(IOException.class).hasMessage("no route");
  }

  @Test
  void attempt_failsAndIsTriedAgain_isAWarningOfOneLine() {
    setup().handle(MAIL, FailureLogTest::fail).start();

    queues.enqueue(MAIL, "one\ntwo");

    Line line = onlyLine();
    assertThat(line.level()).isEqualTo("warn");
    assertThat(line.text())
        .startsWith("attempt failed, and is tried again: worker=w, type=mail, job=")
        .endsWith(", attempt=1/20, outcome=RETRIED, error=java.io.IOException: one");
    assertThat(line.stack()).isNull();
  }

  @Test
  void names_withControlCharacters_forgeNoLine() {
    JobType<String> odd = JobType.of("odd\nWARN forged", Codec.TEXT);
    setup().handle(odd, FailureLogTest::fail).start();

    queues.enqueue(odd, "\u001b[2Jgone");

    assertThat(onlyLine().text())
        .contains("type=odd?WARN forged", "error=java.io.IOException: ?[2J");
  }

  @Test
  void retryLog_ofAnotherLevelWithStack_isHeeded() {
    setup().retryLog(RetryLog.INFO.withStack()).handle(MAIL, FailureLogTest::fail).start();

    queues.enqueue(MAIL, "later");

    Line line = onlyLine();
    assertThat(line.level()).isEqualTo("info");
    assertThat(line.stack()).hasMessage("later");
  }

  @Test
  void retryLog_off_tellsDeathsAndErrorsAlone() {
    Worker worker =
        setup()
            .retryLog(RetryLog.OFF)
            .handle(MAIL, FailureLogTest::fail, how -> how.permanent(IOException.class))
            .handle(
                REPORT,
                (text, job) -> {
                  if (text.equals("error")) {
                    throw new StackOverflowError("thrown by the test");
                  }
                  throw new IllegalStateException("later");
                })
            .start();
    queues.enqueue(REPORT, "later");
    queues.enqueue(REPORT, "error");
    queues.enqueue(MAIL, "now");
    await("all have ended", () -> told.ended.size() == 3);
    worker.close();

    assertThat(log.lines()).hasSize(2);
    assertThat(log.lines("job died")).hasSize(1);
    Line error = log.lines("tried again").get(0);
    assertThat(error.level()).isEqualTo("error");
    assertThat(error.stack()).isInstanceOf(StackOverflowError.class);
  }

  @Test
  void flood_ofOneKind_isOneStackAndACountThatTheStopTells() {
    Worker worker =
        setup()
            .handle(
                MAIL,
                (text, job) -> {
                  throw text.equals("0") ? new FileNotFoundException(text) : new IOException(text);
                })
            .start();
    for (int i = 0; i < 1_301; i++) {
      queues.enqueue(MAIL, Integer.toString(i), o -> o.maxAttempts(1));
    }
    await("all have died", () -> told.ended.size() == 1_301);
    worker.close();

    assertThat(log.lines()).hasSize(3);
    assertThat(log.lines("attempt=1/1, outcome=DIED")).extracting(Line::stack).doesNotContainNull();
    Line others = log.lines("like it").get(0);
    assertThat(others.level()).isEqualTo("warn");
    assertThat(others.text())
        .startsWith(
            "and 1,299 like it within 1 s: job died: worker=w, type=mail,"
                + " thrown=java.io.IOException, last=");
  }

  @Test
  void flood_goesOnForLongerThanItIsFolded_countIsToldAndTheNextInWhole() {
    setup().handle(MAIL, FailureLogTest::fail).start();
    for (int i = 0; i < 5; i++) {
      queues.enqueue(MAIL, "first", o -> o.maxAttempts(1));
    }
    await("all have died", () -> told.ended.size() == 5);

    nowNs.addAndGet(FailureLog.FOLD.toNanos());
    await("the count is written", () -> log.lines().size() == 2);
    queues.enqueue(MAIL, "second", o -> o.maxAttempts(1));
    await("the next is written", () -> log.lines().size() == 3);

    assertThat(log.lines().get(1).text()).startsWith("and 4 like it within 61 s: job died");
    assertThat(log.lines().get(2).stack()).hasMessage("second");
  }

  @Test
  void kinds_moreThanThereIsRoomFor_areCounted() {
    int typeCount = FailureLog.KINDS_MAX + 30;
    WorkerSetup setup = setup();
    for (int i = 0; i < typeCount; i++) {
      setup.handle(type(i), FailureLogTest::fail);
    }
    Worker worker = setup.start();
    for (int i = 0; i < 2 * typeCount; i++) {
      queues.enqueue(type(i % typeCount), "t", o -> o.maxAttempts(1));
    }
    await("all have died", () -> told.ended.size() == 2 * typeCount);
    worker.close();

    assertThat(log.lines("attempt=1/1, outcome=DIED")).hasSize(FailureLog.KINDS_MAX);
    assertThat(log.lines("no room to tell one by one")).hasSize(1);
    assertThat(log.lines().stream().mapToLong(FailureLogTest::count).sum())
        .isEqualTo(2L * typeCount);
  }

  private static JobType<String> type(int number) {
    return JobType.of("type " + number, Codec.TEXT).queue("many");
  }

  private static long count(Line line) {
    Matcher others = OTHERS.matcher(line.text());
    return others.lookingAt() ? Long.parseLong(others.group(1).replace(",", "")) : 1;
  }

  @Test
  void payload_cannotBeRead_isToldAsADeath() {
    JobType<Long> number = JobType.of("mail", Codec.LONG);
    setup().handle(number, (value, job) -> {}).start();

    queues.enqueue(MAIL, "no number");

    Line line = onlyLine();
    assertThat(line.text()).contains("job died", "error=payload cannot be read: ");
    assertThat(line.stack()).isNotNull();
  }

  @Test
  void type_isUnknownForTooLong_isToldAsADeath() {
    JobType<String> other = JobType.of("other", Codec.TEXT).queue("mail");
    setup().handle(MAIL, (text, job) -> {}).unknownTypesDeadAfter(ZERO).start();

    queues.enqueue(other, "o");

    assertThat(onlyLine().text())
        .startsWith("job died: ")
        .endsWith("error=its worker has no handler for its type: type=other");
  }

  @Test
  void driven_floodOfOneKind_isALineForEachBeforeTheNextHandler() {
    List<BooleanSupplier> driven = new ArrayList<>();
    Driving driving =
        Driving.class.cast(
            Proxy.newProxyInstance(
                Driving.class.getClassLoader(),
                new Class<?>[] {Driving.class},
                (proxy, method, args) ->
                    switch (method.getName()) {
                      case "drive" -> driven.add((BooleanSupplier) args[0]);
                      case "release" -> driven.remove(args[0]);
                      case "listener" -> told;
                      default -> method.invoke(queues, args);
                    }));
    WorkerSetup setup = Worker.on(driving).handle(MAIL, FailureLogTest::fail);
    setup.failureLogger = Optional.of(log.logger());
    setup.start();
    for (int i = 0; i < 3; i++) {
      driving.enqueue(MAIL, "m " + i, o -> o.maxAttempts(1));
    }

    for (int i = 0; i < 3; i++) {
      assertThat(driven.get(0).getAsBoolean()).isTrue();
      assertThat(log.lines()).hasSize(i + 1);
      assertThat(log.lines().get(i).stack()).hasMessage("m " + i);
    }
  }

  private interface Driving extends JobQueues, WorkerDriver {}

  @Test
  void handler_timesOut_isToldWithItsTime() {
    setup().handle(MAIL, (text, job) -> latch().await(), how -> how.timeout(ofMillis(20))).start();

    queues.enqueue(MAIL, "m");

    assertThat(onlyLine().text())
        .contains("error=timed out after PT0.02S: java.lang.InterruptedException");
  }

  @Test
  void handler_saysThatItsJobIsDead_isToldWithItsReason() {
    setup().steps(MAIL, (text, job) -> Next.dead("nobody paid")).start();

    queues.enqueue(MAIL, "m");

    Line line = onlyLine();
    assertThat(line.text()).startsWith("job died: ").endsWith("error=nobody paid");
    assertThat(line.stack()).isNull();
  }

  @Test
  void handler_throwsAfterCompleteWith_isAWarningWithTheWholeStack() {
    setup()
        .handle(
            MAIL,
            (text, job) -> {
              job.completeWith(tx -> 1);
              throw new IOException("late");
            })
        .start();

    queues.enqueue(MAIL, "m");

    Line line = onlyLine();
    assertThat(line.level()).isEqualTo("warn");
    assertThat(line.text()).startsWith("handler threw after it had completed its job: ");
    assertThat(line.stack()).hasMessage("late");
  }

  @Test
  void handler_throwsAfterItsJobWasHandedBack_isToldThoughItsWorkerHasStopped() throws Exception {
    CountDownLatch begun = latch();
    CountDownLatch go = latch();
    Worker worker =
        setup()
            .handle(
                MAIL,
                (text, job) -> {
                  begun.countDown();
                  awaitDeaf(go);
                  throw new IOException("later still");
                })
            .start();
    queues.enqueue(MAIL, "m");
    begun.await();
    worker.stop(ZERO);
    assertThat(log.lines()).isEmpty();

    go.countDown();

    assertThat(onlyLine().text())
        .startsWith("handler threw, and its job does not fail of that: ")
        .endsWith("error=java.io.IOException: later still");
  }

  @Test
  void handler_throwsWhenItsLeaseIsAnothers_isTold() {
    setup()
        .handle(
            MAIL,
            (text, job) -> {
              queues.lease(job.jobId(), job.token()).release(ofHours(1)).orThrow();
              throw new IOException("too late");
            })
        .start();

    queues.enqueue(MAIL, "m");

    assertThat(onlyLine().text())
        .startsWith("handler threw, and its job does not fail of that: ")
        .endsWith("outcome=LOST, error=java.io.IOException: too late");
  }

  @Test
  void handler_givesUpAsItIsTold_isToldToWhoDebugs() throws Exception {
    CountDownLatch begun = latch();
    Worker worker = setup().handle(MAIL, waiting(begun, latch())).start();
    queues.enqueue(MAIL, "m");
    begun.await();

    worker.stop(ZERO);

    Line line = onlyLine();
    assertThat(line.level()).isEqualTo("debug");
    assertThat(line.text()).startsWith("handler gave up: ").contains("outcome=RELEASED");
  }

  @Test
  void handler_throwsWhatHandsItsJobBack_isToldAsAnAttempt() {
    setup().handle(MAIL, FailureLogTest::fail, how -> how.releaseOn(IOException.class)).start();

    queues.enqueue(MAIL, "not yet");

    assertThat(onlyLine().text())
        .contains("its job does not fail of that", "outcome=RELEASED", "not yet");
  }

  @Test
  void memory_isWantedWhenAFailureIsNoted_jobHasEndedAndTheFailureIsCounted() {
    AtomicLong wants = new AtomicLong(1);
    WorkerSetup setup = setup();
    setup.failureClock =
        () -> {
          if (wants.getAndDecrement() > 0) {
            throw new OutOfMemoryError("thrown by the test");
          }
          return 0;
        };
    Worker worker = setup.handle(MAIL, FailureLogTest::fail).start();
    JobId id = queues.enqueue(MAIL, "m", o -> o.maxAttempts(1)).jobId();
    await("it has died", () -> told.ended.containsKey(id));
    worker.close();

    assertThat(job(id).state()).isEqualTo(JobState.DEAD);
    assertThat(onlyLine().text())
        .isEqualTo("and 1 that there is no room to tell one by one: worker=w");
  }

  @Test
  void log_hangs_jobsEndAndTheirPlacesAreFree() throws Exception {
    CountDownLatch writing = latch();
    CountDownLatch go = latch();
    WorkerSetup setup = setup().concurrency(1);
    setup.failureLogger =
        Optional.of(
            log.logger(
                line -> {
                  writing.countDown();
                  go.await();
                }));
    Worker worker =
        setup.handle(MAIL, FailureLogTest::fail).handle(REPORT, FailureLogTest::fail).start();

    JobId mail = queues.enqueue(MAIL, "m", o -> o.maxAttempts(1)).jobId();
    writing.await();
    JobId report = queues.enqueue(REPORT, "r", o -> o.maxAttempts(1)).jobId();

    awaitState(mail, JobState.DEAD);
    awaitState(report, JobState.DEAD);
    await("it is idle", () -> worker.busy() == 0);
    assertThat(engine.metrics().leaseCount()).isZero();
    assertThat(log.lines()).isEmpty();

    go.countDown();
    worker.close();
    assertThat(log.lines("attempt=1/1, outcome=DIED")).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void log_throws_isToldInOtherWordsAndElseCounted(int failing) {
    AtomicLong writes = new AtomicLong();
    WorkerSetup setup = setup();
    setup.failureLogger =
        Optional.of(
            log.logger(
                line -> {
                  if (writes.incrementAndGet() <= failing) {
                    throw new IllegalStateException("a logger that cannot do this");
                  }
                }));
    Worker worker = setup.handle(MAIL, FailureLogTest::fail).start();
    JobId id = queues.enqueue(MAIL, "no route", o -> o.maxAttempts(1)).jobId();
    awaitState(id, JobState.DEAD);
    await("it is idle", () -> writes.get() >= failing);
    worker.stop(ofSeconds(10));

    String written = onlyLine().text();
    if (failing == 1) {
      assertThat(written).contains("job died", "no route\n", getClass().getName() + ".fail(");
    } else {
      assertThat(written).isEqualTo("and 1 that there is no room to tell one by one: worker=w");
    }
  }
}
