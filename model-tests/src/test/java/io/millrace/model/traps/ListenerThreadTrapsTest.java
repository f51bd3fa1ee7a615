package io.millrace.model.traps;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Durability;
import io.millrace.api.EngineClosedException;
import io.millrace.api.EngineOverloadedException;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobEvent;
import io.millrace.api.JobEvent.Kind;
import io.millrace.api.JobId;
import io.millrace.api.JobListening;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.engine.GivenEvents;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Listeners have threads of their own: they keep nobody waiting, and leave nothing behind. */
class ListenerThreadTrapsTest extends JobListenerTrapTest {

  /** Waits in its first event until it is let go. */
  private static final class Slow extends Heard {

    private final CountDownLatch open = new CountDownLatch(1);
    private final CountDownLatch reached = new CountDownLatch(1);

    @Override
    public void happened(JobEvent event) {
      reached.countDown();
      try {
        open.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      super.happened(event);
    }
  }

  @Test
  void events_ofConcurrentCallers_areInTheOrderOfCommits() {
    EngineHarness harness =
        start(StoreKind.MEMORY, Setup.DEFAULT.withDurability(Durability.BUFFERED));
    Heard heard = new Heard();
    JobListening listening = harness.queues().listen(heard);
    List<CompletableFuture<Void>> callers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      JobQueue queue = harness.queues().queue("queue-" + i % 2);
      callers.add(CompletableFuture.runAsync(() -> cycle(queue, 500)));
    }
    callers.forEach(TrapTest::join);
    told(harness, listening, heard);

    assertThat(heard.events).hasSize(3 * 4 * 500);
    Map<QueueName, JobId> newest = new HashMap<>();
    Map<JobId, Kind> last = new HashMap<>();
    for (JobEvent event : heard.events) {
      Kind before = last.put(event.jobId(), event.kind());
      switch (event.kind()) {
        case ENQUEUED -> {
          assertThat(before).isNull();
          JobId earlier = newest.put(event.queue(), event.jobId());
          assertThat(earlier == null || earlier.low() < event.jobId().low()).isTrue();
        }
        case CLAIMED -> assertThat(before).isEqualTo(Kind.ENQUEUED);
        default -> {
          assertThat(event.kind()).isEqualTo(Kind.COMPLETED);
          assertThat(before).isEqualTo(Kind.CLAIMED);
        }
      }
    }
  }

  private static void cycle(JobQueue queue, int count) {
    for (int i = 0; i < count; i++) {
      queue.enqueue(new byte[1]);
      queue
          .claim(ClaimOptions.by("worker").waiting(ofSeconds(20)))
          .forEach(lease -> lease.complete().orThrow());
    }
  }

  @Test
  void listener_thatIsSlow_missesSomeAndIsToldHowManyAndKeepsNobodyWaiting()
      throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY);
    Slow slow = new Slow();
    AtomicInteger quickCount = new AtomicInteger();
    JobListening listening = harness.queues().listen(slow);
    JobListening other = harness.queues().listen(event -> quickCount.incrementAndGet());
    enqueue(harness, "first");
    slow.reached.await();
    int count = Limits.LISTENER_EVENT_COUNT_MAX + 1_000;
    for (int done = 0; done < count; ) {
      int step = Math.min(Limits.CALL_JOB_COUNT_MAX, count - done);
      mail(harness)
          .enqueueAll(Collections.nCopies(step, new NewJob(new byte[1], EnqueueOptions.DEFAULT)));
      done += step;
      pokeTwice(harness);
      GivenEvents.await(other);
    }
    assertThat(quickCount.get()).isEqualTo(count + 1);
    long missed = listening.missedCount();
    assertThat(missed).isBetween(1_000L, 1_001L);
    assertThat(other.missedCount()).isZero();
    assertThat(harness.engine().metrics().missedEventCount()).isEqualTo(missed);

    slow.open.countDown();
    GivenEvents.await(listening);

    assertThat(slow.gaps).containsExactly(missed);
    assertThat(slow.events).hasSize(count + 1 - (int) missed);
    enqueue(harness, "last");
    pokeTwice(harness);
    GivenEvents.await(listening);
    assertThat(slow.events).last().extracting(JobEvent::type).isEqualTo("last");
    assertThat(slow.gaps).hasSize(1);
  }

  @Test
  void listener_thatThrows_isToldWhatComesNext() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Heard heard = new Heard();
    JobListening listening =
        harness
            .queues()
            .listen(
                event -> {
                  heard.happened(event);
                  Thread.currentThread().interrupt();
                  throw new AssertionError("the user's own");
                });
    enqueue(harness, "one");
    enqueue(harness, "two");

    assertThat(told(harness, listening, heard))
        .containsExactly("one ENQUEUED 0 now READY", "two ENQUEUED 0 now READY");
  }

  @Test
  void listener_mayCallTheEngineAndWaitForIt() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue copies = harness.queues().queue("copies");
    JobListening listening =
        harness
            .queues()
            .listen(
                QueueName.of("mail"),
                Set.of(Kind.ENQUEUED),
                event -> enqueue(copies, event.type()));
    enqueue(harness, "one");
    pokeTwice(harness);
    GivenEvents.await(listening);

    assertThat(peek(copies, JobState.READY)).containsExactly("one");
  }

  @Test
  void listening_closed_tellsNothingMoreAndLeavesNoThread() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Heard heard = new Heard();
    JobListening listening = harness.queues().listen(heard);
    enqueue(harness, "before");
    pokeTwice(harness);
    GivenEvents.await(listening);

    listening.close();
    listening.close();

    enqueue(harness, "after");
    assertThat(GivenEvents.isOver(listening)).isTrue();
    assertThat(heard.texts()).containsExactly("before ENQUEUED 0 now READY");
    assertThat(harness.engine().metrics().listenerCount()).isZero();
  }

  @Test
  void listening_closedOnItsOwnThread_ends() throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY);
    CountDownLatch known = new CountDownLatch(1);
    List<JobListening> own = new ArrayList<>();
    AtomicInteger count = new AtomicInteger();
    own.add(
        harness
            .queues()
            .listen(
                event -> {
                  count.incrementAndGet();
                  own.get(0).close();
                  known.countDown();
                }));
    mail(harness).enqueueAll(Collections.nCopies(3, new NewJob(new byte[1], TWICE)));

    known.await();

    await("the thread ends", () -> GivenEvents.isOver(own.get(0)));
    assertThat(count).hasValue(1);
  }

  @Test
  void engine_closed_allThatHappenedIsToldAndNoThreadIsLeft() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Heard heard = new Heard();
    JobListening listening = harness.queues().listen(heard);
    claimNew(harness, "job");

    harness.engine().close();

    assertThat(GivenEvents.isOver(listening)).isTrue();
    assertThat(heard.texts())
        .containsExactly(
            "job ENQUEUED 0 now READY",
            "job CLAIMED 1 by worker after 0 now LEASED",
            "job RELEASED 1 by worker ran 0 now READY");
    assertThatThrownBy(() -> harness.queues().listen(heard))
        .isInstanceOf(EngineClosedException.class)
        .hasMessage("engine is closed; nothing happened");
    listening.close();
  }

  @Test
  void listeners_beyondTheLimit_areRefused() {
    EngineHarness harness = start(StoreKind.MEMORY);
    List<JobListening> all = new ArrayList<>();
    for (int i = 0; i < Limits.LISTENER_COUNT_MAX; i++) {
      all.add(harness.queues().listen(event -> {}));
    }

    assertThatThrownBy(() -> harness.queues().listen(event -> {}))
        .isInstanceOf(EngineOverloadedException.class)
        .hasMessage(
            "too many job listeners: most=64; nothing happened, close one, or let one listener"
                + " tell others");
    assertThat(harness.engine().metrics().listenerCount()).isEqualTo(64);
    all.get(7).close();
    assertThat(harness.queues().listen(event -> {})).isNotNull();
    assertThatThrownBy(() -> harness.queues().listen(QueueName.of("mail"), Set.of(), event -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("number of kinds is out of range: value=0");
  }

  @Test
  void manyCycles_withListenersAndWaits_leaveNothingInMemory() {
    EngineHarness harness =
        start(StoreKind.MEMORY, Setup.DEFAULT.withDurability(Durability.BUFFERED));
    AtomicInteger count = new AtomicInteger();
    JobListening listening = harness.queues().listen(event -> count.incrementAndGet());
    for (int round = 0; round < 20; round++) {
      List<CompletableFuture<?>> ends = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        ends.add(
            mail(harness)
                .submitAsync(new byte[1], EnqueueOptions.DEFAULT)
                .thenCompose(submitted -> submitted.end()));
      }
      for (int done = 0; done < 1_000; ) {
        List<Lease> leases =
            mail(harness).claim(ClaimOptions.by("worker").max(100).waiting(ofSeconds(20)));
        harness.queues().completeAll(leases).forEach(result -> result.orThrow());
        done += leases.size();
      }
      ends.forEach(TrapTest::join);
    }
    harness.storeLeases();
    pokeTwice(harness);
    GivenEvents.await(listening);

    assertThat(count).hasValue(3 * 20_000);
    assertThat(harness.engine().metrics().awaitCount()).isZero();
    assertThat(harness.engine().metrics().missedEventCount()).isZero();
  }
}
