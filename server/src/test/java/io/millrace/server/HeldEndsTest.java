package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueResult;
import io.millrace.api.FailOptions;
import io.millrace.api.JobEnd;
import io.millrace.api.JobId;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.engine.JobEngine;
import io.millrace.protocol.JobCalls;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HeldEndsTest {

  private static final QueueName MAIL = QueueName.of("mail");

  private final JobEngine engine = JobEngine.open("memory:ends-" + UUID.randomUUID());
  private final AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE - 5);
  private final HeldEnds ends = new HeldEnds(nowNs::get);

  @AfterEach
  void close() {
    engine.close();
  }

  private JobCalls.Submit.Answer answer(EnqueueOptions options) throws Exception {
    JobCalls.Submit call =
        new JobCalls.Submit(MAIL, new NewJob(new byte[0], options), Optional.empty());
    return ends.submit(engine, call).get(20, TimeUnit.SECONDS);
  }

  private JobId submitted() throws Exception {
    return answer(EnqueueOptions.DEFAULT).jobId().orElseThrow();
  }

  private CompletableFuture<JobEnd<byte[]>> await(JobId id) {
    return ends.await(engine, new JobCalls.Await(id, true));
  }

  private void complete() {
    engine.queue(MAIL).claim(ClaimOptions.by("w")).get(0).complete(new byte[] {7}).orThrow();
  }

  private void pass() throws Exception {
    nowNs.addAndGet(HeldEnds.HELD_NS + 1);
    submitted(); // Whoever submits forgets what is over.
  }

  @Test
  void await_afterTheJobHasEnded_tellsItsEnd() throws Exception {
    JobId id = submitted();
    complete();
    assertThat(engine.get(id)).isEmpty();

    for (int i = 0; i < 2; i++) {
      assertThat(await(id).get(20, TimeUnit.SECONDS))
          .isInstanceOfSatisfying(
              JobEnd.Completed.class, end -> assertThat(end.result()).isEqualTo(new byte[] {7}));
    }
  }

  @Test
  void await_ofAnother_isThatOfTheEngine() throws Exception {
    JobId id = submitted();
    engine
        .queue(MAIL)
        .claim(ClaimOptions.by("w"))
        .get(0)
        .fail("x", FailOptions.PERMANENT)
        .orThrow();
    assertThat(await(id).get(20, TimeUnit.SECONDS)).isInstanceOf(JobEnd.Died.class);
    engine.queue(MAIL).deadLetters().redrive(id).orThrow();

    CompletableFuture<JobEnd<byte[]>> other = ends.await(engine, new JobCalls.Await(id, false));
    complete();

    assertThat(other.get(20, TimeUnit.SECONDS)).isInstanceOf(JobEnd.Completed.class);
    assertThat(await(id).get(20, TimeUnit.SECONDS)).isInstanceOf(JobEnd.Died.class);
  }

  @Test
  void ends_thatNobodyWaitsFor_areForgottenAfterAMinute() throws Exception {
    JobId id = submitted();
    complete();
    pass();

    assertThat(ends.count()).isEqualTo(1);
    assertThat(await(id).get(20, TimeUnit.SECONDS)).isInstanceOf(JobEnd.Gone.class);
  }

  @Test
  void ends_thatSomebodyWaitsFor_areHeldForAMinuteMore() throws Exception {
    JobId id = submitted();
    CompletableFuture<JobEnd<byte[]>> waiting = await(id);
    pass();
    waiting.cancel(false);
    complete();
    assertThat(await(id).get(20, TimeUnit.SECONDS)).isInstanceOf(JobEnd.Completed.class);

    pass();

    assertThat(ends.count()).isEqualTo(1);
  }

  @Test
  void submit_ofADuplicate_hasOneEndWithTheOther() throws Exception {
    EnqueueOptions unique = EnqueueOptions.DEFAULT.unique("k");
    JobId id = answer(unique).jobId().orElseThrow();
    CompletableFuture<JobEnd<byte[]>> first = await(id);

    assertThat(answer(unique).jobId()).contains(id);
    CompletableFuture<JobEnd<byte[]>> second = await(id);
    complete();

    assertThat(first.get(20, TimeUnit.SECONDS)).isInstanceOf(JobEnd.Completed.class);
    assertThat(second.get(20, TimeUnit.SECONDS)).isInstanceOf(JobEnd.Completed.class);
  }

  @Test
  void submit_thatIsRefused_saysWhyAndHoldsNothing() throws Exception {
    engine.queue(MAIL).configure(it -> it.depthMax(1));
    engine.queue(MAIL).enqueue(new byte[0]);

    assertThat(answer(EnqueueOptions.DEFAULT))
        .isEqualTo(
            new JobCalls.Submit.Answer(
                Optional.empty(), Optional.of(new EnqueueResult.QueueFull(MAIL, 1))));
    assertThat(ends.count()).isZero();
  }
}
