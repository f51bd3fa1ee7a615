package io.millrace.model.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Backoff;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.Job;
import io.millrace.api.JobEnd;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.NotAllowedException;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.api.ResultJobType;
import io.millrace.client.RemoteQueues;
import io.millrace.engine.JobEngine;
import io.millrace.model.rig.Await;
import io.millrace.server.Role;
import io.millrace.server.Server;
import io.millrace.worker.JobContext;
import io.millrace.worker.Next;
import io.millrace.worker.StopReport;
import io.millrace.worker.Worker;
import io.millrace.worker.WorkerSetup;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workers whose token is for one queue alone, and for nothing but work. */
@Timeout(120)
class RestrictedWorkerTest {

  private static final String TOKEN = "t".repeat(32);
  private static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT);
  private static final ResultJobType<String, String> ECHO =
      JobType.of("echo", Codec.TEXT).queue("mail").returning(Codec.TEXT);
  private static final JobType<String> NEWS = JobType.of("news", Codec.TEXT);
  private static final Duration SOON = Duration.ofMillis(1);

  private final CountDownLatch began = new CountDownLatch(1);
  private final JobEngine engine = JobEngine.open("memory:restricted-" + UUID.randomUUID());
  private final Server server =
      Server.on(engine).token(TOKEN, Set.of(Role.WORK), Set.of("mail")).listen("127.0.0.1:0");
  private final RemoteQueues queues =
      RemoteQueues.connect("millrace://127.0.0.1:" + server.port(), o -> o.token(TOKEN));

  @AfterEach
  void close() {
    queues.close();
    server.close();
    engine.close();
  }

  private WorkerSetup worker() {
    return Worker.on(queues)
        .withoutSchedules()
        .compute(ECHO, (text, job) -> text)
        .steps(MAIL, this::work);
  }

  /** Does the first time what the payload says, and is done the second time. */
  private Next work(String what, JobContext job) throws InterruptedException {
    boolean isSecond = job.checkpointed().isPresent();
    if (!what.equals("sleep")) {
      job.checkpoint(Codec.TEXT, what);
    }
    if (isSecond) {
      return Next.done();
    }
    job.extend(Duration.ofMinutes(5));
    return switch (what) {
      case "snooze" -> Next.snooze(SOON);
      case "retry" -> Next.retry("again", SOON);
      case "throw" -> throw new IllegalStateException("again");
      case "wait" -> Next.waitFor("go");
      case "sleep" -> {
        began.countDown();
        new CountDownLatch(1).await();
        yield Next.done();
      }
      default -> Next.done();
    };
  }

  private long count(JobState state) {
    return engine.queue("mail").stats().orElseThrow().count(state);
  }

  @Test
  void jobs_ofItsQueue_areWorkedOnInEachWay() {
    for (String what : new String[] {"snooze", "retry", "throw", "wait", "done"}) {
      engine.enqueue(MAIL, what, o -> o.backoff(Backoff.fixed(SOON)));
    }
    var echo = engine.submit(ECHO, "hello");

    Worker worker = worker().start();
    assertThat(Await.join(echo.end())).isEqualTo(new JobEnd.Completed<>("hello"));
    Await.until("one waits alone", () -> count(JobState.WAITING) == 1 && isLeft(1));
    Job waiting =
        engine.peek(QueueName.of("mail"), JobState.WAITING, PageRequest.first(1)).items().get(0);
    assertThat(engine.signal(waiting.id(), "go", new byte[0]).isDone()).isTrue();
    Await.until("nothing is left", () -> isLeft(0));
    worker.close();

    assertThat(engine.metrics().operations(QueueStats.Total.COMPLETED)).isEqualTo(6);
  }

  private boolean isLeft(long expected) {
    return Set.of(JobState.values()).stream().mapToLong(this::count).sum() == expected;
  }

  @Test
  void job_thatIsCutShort_isHandedBackAtOnce() throws InterruptedException {
    engine.enqueue(MAIL, "sleep");
    Worker worker = worker().start();
    began.await();

    StopReport report = worker.stop(Duration.ZERO);

    assertThat(report.interrupted()).isEqualTo(1);
    assertThat(count(JobState.READY)).isEqualTo(1);
  }

  @Test
  void jobs_ofAnUnknownType_rest() {
    engine.queue("mail").enqueue(new byte[0]);

    try (Worker worker = Worker.on(queues).withoutSchedules().compute(ECHO, (t, j) -> t).start()) {
      Await.until("it rests", () -> count(JobState.DELAYED) == 1);
      assertThat(worker.unknownTypes()).hasSize(1);
    }
  }

  @Test
  void otherQueue_isRefusedClearly() {
    engine.enqueue(NEWS, "free");

    assertThatThrownBy(() -> queues.queue("news").claim(ClaimOptions.by("w")))
        .isInstanceOf(NotAllowedException.class)
        .hasMessage(
            "the token does not allow this queue: queue=news, call=Claim, queues of the"
                + " token=[mail]");
    assertThat(engine.queue("news").stats().orElseThrow().count(JobState.READY)).isEqualTo(1);
  }
}
