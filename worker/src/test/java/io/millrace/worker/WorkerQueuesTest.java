package io.millrace.worker;

import static java.time.Duration.ofSeconds;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Codec;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.spi.testkit.rig.InProcess;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which jobs a worker takes: of which queues, types and weights, and how many at a time. */
@Timeout(90)
class WorkerQueuesTest extends WorkerRig {

  private static final JobType<String> SHARED_MAIL = MAIL.queue("shared");
  private static final JobType<String> SHARED_REPORT = REPORT.queue("shared");

  @Test
  void handle_severalQueues_allAreServed() throws Exception {
    Worker.on(queues)
        .handle(MAIL, (text, job) -> said.add(job.queue().name() + " " + text))
        .handle(REPORT, (text, job) -> said.add(job.queue().name() + " " + text))
        .start();

    queues.enqueue(REPORT, "a");
    assertThat(heard()).isEqualTo("report a");
    queues.enqueue(MAIL, "b");
    assertThat(heard()).isEqualTo("mail b");
    queues.enqueue(REPORT, "c");
    assertThat(heard()).isEqualTo("report c");
  }

  @Test
  void allTenants_ofSeveralNames_allAreServed() throws Exception {
    Worker.on(queues)
        .handle(MAIL, (text, job) -> said.add(job.queue().tenant() + " " + text))
        .handle(REPORT, (text, job) -> said.add(job.queue().tenant() + " " + text))
        .allTenants()
        .concurrency(1)
        .start();

    Set<String> heard = new TreeSet<>();
    for (String tenant : new String[] {"", "acme", "umbrella"}) {
      queues.enqueue(MAIL.tenant(tenant), "m");
      queues.enqueue(REPORT.tenant(tenant), "r");
      heard.add(heard());
      heard.add(heard());
    }

    assertThat(heard).containsExactly(" m", " r", "acme m", "acme r", "umbrella m", "umbrella r");
  }

  @Test
  void allTenants_backlogsOfTwoNames_areServedInTurn() throws Exception {
    Worker worker =
        Worker.on(queues)
            .handle(MAIL, (text, job) -> said.add("mail"))
            .handle(REPORT, (text, job) -> said.add("report"))
            .allTenants()
            .concurrency(1)
            .start();
    worker.pause();
    for (int i = 0; i < 100; i++) {
      queues.enqueue(MAIL.tenant("acme"), "m");
      queues.enqueue(REPORT.tenant("acme"), "r");
    }
    worker.resume();

    Set<String> heard = new TreeSet<>();
    for (int i = 0; i < 40; i++) {
      heard.add(heard());
    }

    assertThat(heard).containsExactly("mail", "report");
  }

  @Tag("slow")
  @Test
  void weight_heavyAmongLightOnes_comesToItsTurn() throws Exception {
    Semaphore steps = new Semaphore(0);
    Worker worker =
        Worker.on(queues)
            .handle(
                MAIL,
                (text, job) -> {
                  if (text.equals("light")) {
                    steps.acquire();
                  }
                  said.add(text);
                })
            .concurrency(4)
            .start();
    for (int i = 0; i < 200; i++) {
      queues.enqueue(MAIL, "light");
    }
    await("it is busy", () -> worker.busy() == 4);

    queues.enqueue(MAIL, "heavy", o -> o.weight(4).priority(1));
    int before = 0;
    do {
      steps.release();
      before++;
    } while (heard().equals("light"));
    steps.release(1_000);

    // Sixteen claims may pass it over, of up to four jobs each, and what was claimed runs first.
    assertThat(before).isLessThan(100);
  }

  @Test
  void weight_moreThanTheWorkerCanTake_isLeftAloneAndHoldsNobodyUp() throws Exception {
    Worker.on(queues).handle(MAIL, (text, job) -> said.add(text)).concurrency(3).start();

    JobId heavy = queues.enqueue(MAIL, "heavy", o -> o.weight(4).priority(9)).jobId();
    for (int i = 0; i < 50; i++) {
      queues.enqueue(MAIL, "light " + i);
      assertThat(heard()).isEqualTo("light " + i);
    }

    assertThat(job(heavy).state()).isEqualTo(JobState.READY);
    assertThat(job(heavy).attempts()).isZero();
  }

  @Tag("slow")
  @Test
  void weight_heavyComesWhileANarrowClaimIsParked_isServedWhenThereIsRoom() throws Exception {
    CountDownLatch go = latch();
    Worker worker =
        Worker.on(queues)
            .handle(
                MAIL,
                (text, job) -> {
                  if (text.equals("first")) {
                    go.await();
                  }
                  said.add(text);
                })
            .concurrency(4)
            .start();
    queues.enqueue(MAIL, "first");
    await("it runs and claims beside it", () -> worker.busy() == 1);
    await("a narrow claim is parked", () -> engine.metrics().parkedClaimCount() == 1);

    queues.enqueue(MAIL, "heavy", o -> o.weight(4));
    assertThat(said.poll(50, MILLISECONDS)).isNull();
    go.countDown();

    assertThat(heard()).isEqualTo("first");
    assertThat(heard()).isEqualTo("heavy");
  }

  @Tag("slow")
  @Test
  void weight_sum_isNeverAboveTheConcurrency() throws Exception {
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Worker.on(queues)
        .handle(
            MAIL,
            (text, job) -> {
              int weight = Integer.parseInt(text);
              most.accumulateAndGet(now.addAndGet(weight), Math::max);
              Thread.yield();
              now.addAndGet(-weight);
            })
        .concurrency(7)
        .listener(told)
        .start();

    for (int i = 0; i < 700; i++) {
      int weight = 1 + i % 7;
      queues.enqueue(MAIL, Integer.toString(weight), o -> o.weight(weight));
    }
    for (int i = 0; i < 700; i++) {
      assertThat(told.next()).isEqualTo("mail COMPLETED");
    }

    assertThat(most.get()).isBetween(4, 7);
  }

  @Test
  void minConcurrency_isSet_refillsOnlyBelowItAndThenInOneGo() throws Exception {
    Semaphore steps = new Semaphore(0);
    Worker worker =
        Worker.on(queues)
            .handle(MAIL, (text, job) -> steps.acquire())
            .concurrency(8)
            .minConcurrency(3)
            .listener(told)
            .start();
    worker.pause();
    for (int i = 0; i < 20; i++) {
      queues.enqueue(MAIL, "m");
    }
    worker.resume();
    await("it is full", () -> worker.busy() == 8);

    for (int ended = 1; ended <= 5; ended++) {
      steps.release();
      told.next();
    }
    int left = 3;
    await("three run", () -> worker.busy() == left);
    assertThat(told.ends.poll(50, MILLISECONDS)).isNull();
    assertThat(worker.busy()).isEqualTo(left);
    steps.release();
    told.next();

    await("it is full again", () -> worker.busy() == 8);
    steps.release(100);
  }

  @Test
  void typeLimit_inASharedQueue_keepsItsLimitAndTheOtherTypeRuns() throws Exception {
    CountDownLatch go = latch();
    AtomicInteger mails = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Worker.on(queues)
        .handle(
            SHARED_MAIL,
            (text, job) -> {
              most.accumulateAndGet(mails.incrementAndGet(), Math::max);
              go.await();
              mails.decrementAndGet();
            },
            h -> h.concurrency(1))
        .handle(SHARED_REPORT, (text, job) -> said.add(text))
        .concurrency(4)
        .listener(told)
        .start();

    JobId mail = queues.enqueue(SHARED_MAIL, "a").jobId();
    awaitState(mail, JobState.LEASED);
    for (int i = 0; i < 5; i++) {
      queues.enqueue(SHARED_REPORT, "r" + i);
      assertThat(heard()).isEqualTo("r" + i);
    }
    queues.enqueue(SHARED_MAIL, "b");
    queues.enqueue(SHARED_MAIL, "c");
    queues.enqueue(SHARED_REPORT, "last");
    assertThat(heard()).isEqualTo("last");
    go.countDown();

    await("all are done", () -> told.ended.size() == 9);
    assertThat(most.get()).isEqualTo(1);
  }

  @Tag("slow")
  @Test
  void typeLimit_reachedWithABacklog_doesNotSpin() throws Exception {
    CountDownLatch go = latch();
    Worker.on(queues)
        .handle(SHARED_MAIL, (text, job) -> go.await(), h -> h.concurrency(1))
        .handle(SHARED_REPORT, (text, job) -> said.add(text))
        .concurrency(4)
        .listener(told)
        .start();
    for (int i = 0; i < 20; i++) {
      queues.enqueue(SHARED_MAIL, "m");
    }
    await("one runs", () -> engine.metrics().leaseCount() > 0);

    assertThat(said.poll(600, MILLISECONDS)).isNull();

    // Twenty jobs, and a claim or two: a loop would have made thousands.
    long claimed = engine.metrics().operations(QueueStats.Total.CLAIMED);
    assertThat(claimed).isLessThan(60);
    go.countDown();
    await("all are done", () -> told.ended.size() == 20);
    for (JobRunEnd end : told.ended.values()) {
      assertThat(end.outcome()).isEqualTo(JobRunEnd.Outcome.COMPLETED);
    }
  }

  @Test
  void typeLimit_inQueuesOfTheirOwn_theOtherQueueGoesOn() throws Exception {
    CountDownLatch go = latch();
    Worker worker =
        Worker.on(queues)
            .handle(MAIL, (text, job) -> go.await(), h -> h.concurrency(2))
            .handle(REPORT, (text, job) -> said.add(text))
            .concurrency(4)
            .listener(told)
            .start();
    for (int i = 0; i < 20; i++) {
      queues.enqueue(MAIL, "m");
    }
    await("two run", () -> worker.running().size() == 2);

    for (int i = 0; i < 30; i++) {
      queues.enqueue(REPORT, "r" + i);
      assertThat(heard()).isEqualTo("r" + i);
    }

    assertThat(queues.queue("mail").stats().orElseThrow().counts().get(JobState.LEASED))
        .as("mails claimed though they cannot run")
        .isLessThanOrEqualTo(2L);
    go.countDown();
    await("all are done", () -> told.ended.size() == 50);
  }

  @InProcess(
      "a wait that a worker ends is cancelled there, and gives back what it is granted meanwhile")
  @Tag("slow")
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void typeLimit_ofManyTypesWithBacklogs_nothingIsClaimedThatCannotBegin(boolean isAcrossTenants)
      throws Exception {
    int typeCount = 100;
    int each = 5;
    WorkerSetup setup = Worker.on(queues).concurrency(4).listener(told);
    for (int i = 0; i < typeCount; i++) {
      JobType<String> type = JobType.of("type " + i, Codec.TEXT);
      queues.enqueueAll(
          isAcrossTenants ? type.tenant("acme") : type, Collections.nCopies(each, "m"));
      setup.handle(type, (text, job) -> said.add(text), h -> h.concurrency(1));
    }

    (isAcrossTenants ? setup.allTenants() : setup).start();

    await("all are done", () -> told.ended.size() == typeCount * each);
    assertThat(engine.metrics().operations(QueueStats.Total.CLAIMED)).isEqualTo(typeCount * each);
    assertThat(engine.metrics().operations(QueueStats.Total.RELEASED)).isZero();
  }

  @Test
  void pause_underLoad_claimsNoMoreAndResumeGoesOn() throws Exception {
    Worker worker =
        Worker.on(queues)
            .handle(MAIL, (text, job) -> said.add(text))
            .concurrency(4)
            .listener(told)
            .start();
    int count = 0;
    for (int round = 0; round < 30; round++) {
      for (int i = 0; i < 20; i++, count++) {
        queues.enqueue(MAIL, "m" + count);
      }
      worker.pause();
      assertThat(worker.isPaused()).isTrue();
      await("nothing runs", () -> worker.busy() == 0 && engine.metrics().leaseCount() == 0);
      JobId one = queues.enqueue(MAIL, "x" + round).jobId();
      assertThat(job(one).state()).isEqualTo(JobState.READY);
      // Listeners may be told of the last ends after this.
      long before = engine.metrics().operations(QueueStats.Total.CLAIMED);
      worker.pause();
      assertThat(engine.metrics().operations(QueueStats.Total.CLAIMED)).isEqualTo(before);
      worker.resume();
      worker.resume();
    }

    int all = count + 30;
    await("all are done", () -> told.ended.size() == all);
    assertThat(said).hasSize(all);
  }

  @Test
  void concurrency_changedUnderLoad_isKept() throws Exception {
    Semaphore steps = new Semaphore(0);
    Worker worker =
        Worker.on(queues)
            .handle(MAIL, (text, job) -> steps.acquire())
            .concurrency(2)
            .listener(told)
            .start();
    for (int i = 0; i < 60; i++) {
      queues.enqueue(MAIL, "m");
    }
    await("two run", () -> worker.busy() == 2);

    worker.concurrency(10);
    await("ten run", () -> worker.busy() == 10 && worker.running().size() == 10);
    worker.concurrency(3);
    assertThat(worker.concurrency()).isEqualTo(3);
    steps.release(7);
    await("seven ended", () -> told.ends.size() == 7);
    await("three run", () -> worker.busy() == 3);
    steps.release(1);
    await("one ended", () -> told.ends.size() == 8);
    await("three run", () -> worker.busy() == 3);
    steps.release(100);

    await("all are done", () -> told.ends.size() == 60);
  }

  @Test
  void concurrency_raised_aJobThatWasTooHeavyIsServed() throws Exception {
    Worker worker =
        Worker.on(queues).handle(MAIL, (text, job) -> said.add(text)).concurrency(2).start();
    JobId heavy = queues.enqueue(MAIL, "heavy", o -> o.weight(9)).jobId();
    queues.enqueue(MAIL, "light");
    assertThat(heard()).isEqualTo("light");
    assertThat(job(heavy).state()).isEqualTo(JobState.READY);

    worker.concurrency(9);

    assertThat(heard()).isEqualTo("heavy");
  }

  @Test
  void stopAndStartAnother_queueOfTheSameName_goesOn() throws Exception {
    for (int i = 0; i < 10; i++) {
      Worker worker = Worker.on(queues).handle(MAIL, (text, job) -> said.add(text)).start();
      queues.enqueue(MAIL, "m" + i);
      assertThat(heard()).isEqualTo("m" + i);
      worker.stop(ofSeconds(10));
      assertNothingLeft();
    }
    assertThat(queues.stats(QueueName.of("mail")).orElseThrow().counts().get(JobState.READY))
        .isIn(0L, (Long) null);
  }
}
