package io.millrace.worker;

import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Codec;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.worker.JobRunEnd.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of jobs whose handlers, or what stands around them, return or throw. */
@Timeout(90)
class WorkerEndsTest extends WorkerRig {

  /** What handlers and others throw that nobody expects. */
  enum Thrown {
    OUT_OF_MEMORY,
    STACK_OVERFLOW,
    DEATH,
    LINKAGE,
    ASSERTION,
    CHECKED,
    NULL_MESSAGE,
    BAD_MESSAGE;

    /** As {@code ThreadDeath}, which is to go from the JDK. */
    private static final class Death extends Error {
      private static final long serialVersionUID = 1L;
    }

    /** One that cannot even be printed. */
    private static final class Unprintable extends RuntimeException {
      private static final long serialVersionUID = 1L;

      @Override
      public String getMessage() {
        throw new IllegalStateException("no message");
      }

      @Override
      public String toString() {
        throw new IllegalStateException("no text");
      }
    }

    void thrown() {
      switch (this) {
        case OUT_OF_MEMORY -> throw new OutOfMemoryError("thrown by the test");
        case STACK_OVERFLOW -> overflow(0);
        case DEATH -> throw new Death();
        case LINKAGE -> throw new NoClassDefFoundError("thrown by the test");
        case ASSERTION -> throw new AssertionError("thrown by the test");
        case CHECKED -> Thrown.<RuntimeException>throwAny(new IOException("thrown by the test"));
        case NULL_MESSAGE -> throw new NullPointerException();
        case BAD_MESSAGE -> throw new Unprintable();
      }
    }

    private static int overflow(int depth) {
      return depth < 0 ? depth : overflow(depth + 1) + 1;
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> void throwAny(Throwable thrown) throws X {
      throw (X) thrown;
    }
  }

  /** A codec that throws for the text "bad". */
  private static Codec<String> codec(Thrown thrown) {
    return new Codec<>() {
      @Override
      public byte[] encode(String value) {
        return Codec.TEXT.encode(value);
      }

      @Override
      public String decode(byte[] bytes) {
        String text = Codec.TEXT.decode(bytes);
        if (text.equals("bad")) {
          thrown.thrown();
        }
        return text;
      }
    };
  }

  @ParameterizedTest
  @EnumSource
  void handler_throwsAnything_failsTheAttemptAndTheWorkerGoesOn(Thrown thrown) throws Exception {
    Worker worker =
        Worker.on(queues)
            .handle(
                MAIL,
                (text, job) -> {
                  if (text.equals("bad")) {
                    thrown.thrown();
                  }
                  said.add(text);
                })
            .concurrency(1)
            .listener(told)
            .start();
    JobId bad = queues.enqueue(MAIL, "bad").jobId();

    Job job = deadOrRetried(bad);
    assertThat(told.ended.get(bad).outcome()).isEqualTo(Outcome.RETRIED);
    assertThat(told.ended.get(bad).thrown()).isPresent();
    assertThat(job.attempts()).isEqualTo(1);
    assertThat(job.lastError()).isPresent();
    for (int i = 0; i < 5; i++) {
      queues.enqueue(MAIL, "good");
      assertThat(heard()).isEqualTo("good");
    }
    await("it is idle", () -> worker.busy() == 0);
  }

  @ParameterizedTest
  @EnumSource
  void middleware_throwsAnything_failsTheAttemptAndTheWorkerGoesOn(Thrown thrown) throws Exception {
    Worker worker =
        Worker.on(queues)
            .handle(MAIL, (text, job) -> said.add(text))
            .use(
                (job, rest) -> {
                  if (job.headers().containsKey("bad")) {
                    thrown.thrown();
                  }
                  rest.proceed();
                })
            .concurrency(1)
            .listener(told)
            .start();
    JobId bad = queues.enqueue(MAIL, "m", o -> o.header("bad", "yes")).jobId();

    assertThat(deadOrRetried(bad).attempts()).isEqualTo(1);
    assertThat(told.ended.get(bad).outcome()).isEqualTo(Outcome.RETRIED);
    queues.enqueue(MAIL, "good");
    assertThat(heard()).isEqualTo("good");
    await("it is idle", () -> worker.busy() == 0);
  }

  @ParameterizedTest
  @EnumSource
  void listener_throwsAnything_jobsAreDoneAllTheSame(Thrown thrown) throws Exception {
    WorkerListener bad =
        new WorkerListener() {
          @Override
          public void started(JobContext job) {
            thrown.thrown();
          }

          @Override
          public void ended(JobContext job, JobRunEnd end) {
            thrown.thrown();
          }

          @Override
          public void unknownType(Lease lease) {
            thrown.thrown();
          }
        };
    Worker worker =
        Worker.on(queues)
            .handle(MAIL, (text, job) -> said.add(text))
            .concurrency(1)
            .listener(bad)
            .listener(told)
            .start();

    JobId unknown =
        queues.queue("mail").enqueue(new byte[0], EnqueueOptions.DEFAULT.type("newer")).jobId();
    for (int i = 0; i < 5; i++) {
      queues.enqueue(MAIL, "good");
      assertThat(heard()).isEqualTo("good");
      assertThat(told.next()).isIn("mail COMPLETED", "newer RELEASED");
    }

    awaitState(unknown, JobState.DELAYED);
    await("it is idle", () -> worker.busy() == 0);
    assertThat(worker.stop(ofMinutes(1)).released()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void codec_throwsAnything_jobIsDeadAtOnceOrTriedAgainAndTheWorkerGoesOn(Thrown thrown)
      throws Exception {
    JobType<String> type = JobType.of("coded", codec(thrown));
    Worker worker =
        Worker.on(queues)
            .handle(type, (text, job) -> said.add(text))
            .concurrency(1)
            .listener(told)
            .start();
    JobId bad = queues.enqueue(type, "bad").jobId();

    Job job = deadOrRetried(bad);
    assertThat(told.ended.get(bad).outcome()).isIn(Outcome.DIED, Outcome.RETRIED);
    assertThat(job.attempts()).isEqualTo(1);
    assertThat(job.payload()).isEqualTo(Codec.TEXT.encode("bad"));
    queues.enqueue(type, "good");
    assertThat(heard()).isEqualTo("good");
    await("it is idle", () -> worker.busy() == 0);
  }

  @Test
  void middlewares_several_areCalledInTheirOrderOnTheHandlersThread() throws Exception {
    Worker.on(queues)
        .handle(MAIL, (text, job) -> said.add("handler " + Thread.currentThread().getId()))
        .use((job, rest) -> around("a", rest))
        .use((job, rest) -> around("b", rest))
        .listener(told)
        .start();

    queues.enqueue(MAIL, "m");
    told.next();

    List<String> all = new ArrayList<>(said);
    assertThat(all.stream().map(s -> s.substring(0, s.lastIndexOf(' '))))
        .containsExactly("a in", "b in", "handler", "b out", "a out");
    assertThat(all.stream().map(s -> s.substring(s.lastIndexOf(' '))).distinct()).hasSize(1);
  }

  private void around(String name, Middleware.Rest rest) throws Exception {
    said.add(name + " in " + Thread.currentThread().getId());
    rest.proceed();
    said.add(name + " out " + Thread.currentThread().getId());
  }

  @Test
  void listener_ended_comesAfterTheCommit() throws Exception {
    AtomicInteger stillThere = new AtomicInteger();
    Worker.on(queues)
        .handle(MAIL, (text, job) -> {})
        .listener(
            new WorkerListener() {
              @Override
              public void ended(JobContext job, JobRunEnd end) {
                if (queues.get(job.jobId()).isPresent()) {
                  stillThere.incrementAndGet();
                }
                said.add("ended");
              }
            })
        .start();

    for (int i = 0; i < 100; i++) {
      queues.enqueue(MAIL, "m");
    }
    for (int i = 0; i < 100; i++) {
      heard();
    }

    assertThat(stillThere.get()).isZero();
  }
}
