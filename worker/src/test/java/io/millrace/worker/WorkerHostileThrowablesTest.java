package io.millrace.worker;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Codec;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobType;
import io.millrace.spi.testkit.rig.InProcess;
import io.millrace.worker.JobRunEnd.Outcome;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever users' code throws, wherever it does: the job is ended, its place is free, and no lease
 * is kept.
 */
@Tag("slow")
@InProcess("what handlers throw meets the worker alone")
@Timeout(120)
class WorkerHostileThrowablesTest extends WorkerRig {

  /** What is thrown; each makes trouble when it is asked something, or was no exception. */
  enum Hostile {
    MESSAGE,
    TO_STRING,
    NULL_TO_STRING,
    ENDLESS_TO_STRING,
    CAUSE,
    OWN_CAUSE,
    NULL_FRAMES,
    PRINTING,
    LONG,
    MEMORY,
    STACK,
    DEATH,
    CHECKED;

    RuntimeException thrown() {
      return Hostile.<RuntimeException>sneaky(
          switch (this) {
            case LONG -> new IllegalStateException("ü".repeat(3_000_000));
            case MEMORY -> new OutOfMemoryError("thrown by the test");
            case STACK -> new StackOverflowError("thrown by the test");
            case DEATH -> new Error("as a thread's death");
            case CHECKED -> new Exception("thrown by the test");
            default -> new Odd(this);
          });
    }

    @SuppressWarnings("unchecked") // Nothing is cast.
    private static <X extends Throwable> X sneaky(Throwable thrown) throws X {
      throw (X) thrown;
    }
  }

  private static final class Odd extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Hostile how;

    Odd(Hostile how) {
      this.how = how;
    }

    private void refuse(Hostile asked) {
      if (how == asked) {
        throw new IllegalStateException("it cannot tell: " + asked);
      }
    }

    @Override
    public String getMessage() {
      refuse(Hostile.MESSAGE);
      return "odd";
    }

    @Override
    public String toString() {
      refuse(Hostile.TO_STRING);
      if (how == Hostile.ENDLESS_TO_STRING) {
        return this + "!";
      }
      return how == Hostile.NULL_TO_STRING ? null : super.toString();
    }

    @Override
    public synchronized Throwable getCause() {
      refuse(Hostile.CAUSE);
      return how == Hostile.OWN_CAUSE ? this : null;
    }

    @Override
    public StackTraceElement[] getStackTrace() {
      return how == Hostile.NULL_FRAMES ? null : super.getStackTrace();
    }

    @Override
    public void printStackTrace(PrintStream stream) {
      refuse(Hostile.PRINTING);
    }
  }

  /** Where it is thrown. */
  enum Place {
    HANDLER,
    BEFORE_THE_HANDLER,
    AFTER_THE_HANDLER,
    STARTED,
    ENDED,
    DECODER,
    RESULT_ENCODER,
    NEXT_OPTIONS,
    NEXT_ENCODER,
    COMPLETION,
    EXECUTOR
  }

  private final AtomicInteger ran = new AtomicInteger();
  private final AtomicBoolean isCalm = new AtomicBoolean();

  private void at(Place here, Place there, Hostile hostile) {
    if (here == there && !isCalm.get()) {
      throw hostile.thrown();
    }
  }

  private Codec<String> codec(Place place, Hostile hostile, Place decoding, Place encoding) {
    return new Codec<>() {
      @Override
      public byte[] encode(String value) {
        if (encoding != null) {
          at(place, encoding, hostile);
        }
        return Codec.TEXT.encode(value);
      }

      @Override
      public String decode(byte[] bytes) {
        if (decoding != null) {
          at(place, decoding, hostile);
        }
        return Codec.TEXT.decode(bytes);
      }
    };
  }

  private static Stream<Arguments> cases() {
    List<Arguments> all = new ArrayList<>();
    for (Place place : Place.values()) {
      for (Hostile hostile : Hostile.values()) {
        all.add(Arguments.of(place, hostile));
      }
    }
    return all.stream();
  }

  private JobType<String> type(Place place, Hostile hostile) {
    return JobType.of("odd", codec(place, hostile, Place.DECODER, null));
  }

  private JobSteps<String> steps(Place place, Hostile hostile) {
    JobType<String> nextType = JobType.of("next", codec(place, hostile, null, Place.NEXT_ENCODER));
    Codec<String> results = codec(place, hostile, null, Place.RESULT_ENCODER);
    return (text, job) -> {
      ran.incrementAndGet();
      at(place, Place.HANDLER, hostile);
      if (place == Place.COMPLETION && !isCalm.get()) {
        return Next.doneWith(
            tx -> {
              throw hostile.thrown();
            });
      }
      if (place == Place.NEXT_OPTIONS || place == Place.NEXT_ENCODER) {
        return Next.then(
            nextType,
            "n",
            options -> {
              at(place, Place.NEXT_OPTIONS, hostile);
              return options;
            });
      }
      return Next.done(results.encode("r"));
    };
  }

  @ParameterizedTest
  @MethodSource("cases")
  void userCode_throws_jobIsEndedAndItsPlaceIsFree(Place place, Hostile hostile) throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    Worker worker =
        Worker.on(queues)
            .steps(type(place, hostile), steps(place, hostile))
            .use(
                (job, rest) -> {
                  at(place, Place.BEFORE_THE_HANDLER, hostile);
                  rest.proceed();
                  at(place, Place.AFTER_THE_HANDLER, hostile);
                })
            .listener(
                new WorkerListener() {
                  @Override
                  public void started(JobContext job) {
                    at(place, Place.STARTED, hostile);
                  }

                  @Override
                  public void ended(JobContext job, JobRunEnd end) {
                    at(place, Place.ENDED, hostile);
                  }
                })
            .listener(told)
            .executor(
                work -> {
                  at(place, Place.EXECUTOR, hostile);
                  threads.execute(work);
                })
            .concurrency(1)
            .leaseDuration(ofSeconds(20))
            .start();
    JobId id =
        queues.queue("odd").enqueue(new byte[0], EnqueueOptions.DEFAULT.maxAttempts(1)).jobId();

    await("its end is told", () -> told.ended.containsKey(id));
    isCalm.set(true);
    Outcome outcome = told.ended.get(id).outcome();
    switch (place) {
      case STARTED, ENDED -> assertThat(outcome).isEqualTo(Outcome.COMPLETED);
      case EXECUTOR -> assertThat(outcome).isEqualTo(Outcome.RELEASED);
      default -> {
        assertThat(outcome).isEqualTo(Outcome.DIED);
        assertThat(job(id).lastError().orElseThrow()).isNotEmpty();
      }
    }
    int before = ran.get();
    queues.queue("odd").enqueue(new byte[0]);
    await("its place is free", () -> ran.get() > before);
    await("it is idle", () -> worker.busy() == 0);
    worker.stop(ofSeconds(60));
    assertNothingLeft();
    threads.shutdown();
  }
}
