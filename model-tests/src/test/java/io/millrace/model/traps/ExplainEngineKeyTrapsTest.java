package io.millrace.model.traps;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.Explanation;
import io.millrace.api.Explanation.Holder;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Jobs that a concurrency key of the whole engine blocks: whoever has it may be in any queue. */
class ExplainEngineKeyTrapsTest extends TrapTest {

  private static final EnqueueOptions PLAIN = EnqueueOptions.DEFAULT;
  private static final QueueName MAIL = QueueName.of("mail");

  private static EnqueueOptions host(int most) {
    return PLAIN.engineConcurrencyKey("host", most);
  }

  private static Explanation.KeyTaken taken(EngineHarness harness, JobId id) {
    return (Explanation.KeyTaken) ExplainTrapsTest.explain(harness, id).reasons().get(0);
  }

  @ParameterizedTest
  @EachStoreKind
  void blocked_holdersAreInOtherQueues_namesThemAllWithTheirOwnFirst(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue before = harness.queues().queue("before");
    enqueue(before, "holds nothing", PLAIN.priority(1));
    JobId ready = enqueue(before, "a", host(4));
    enqueue(before, "another key", PLAIN.engineConcurrencyKey("other", 4));
    enqueue(before, "a key of its queue", PLAIN.concurrencyKey("host"));
    JobId ours = enqueue(mail(harness), "b", host(4));
    JobQueue acme = harness.queues().queue("mail", "acme");
    JobId stored = enqueue(acme, "c", host(4));
    claim(acme);
    harness.storeLeases();
    JobQueue after = harness.queues().queue("after");
    JobId unstored = enqueue(after, "d", host(4));
    JobId last = enqueue(mail(harness), "e", host(4));
    claim(after);

    Explanation.KeyTaken taken = taken(harness, last);

    assertThat(taken.holderCount()).isEqualTo(4);
    assertThat(taken.holders())
        .containsExactly(
            new Holder(ours, MAIL, JobState.READY),
            new Holder(stored, new QueueName("mail", "acme"), JobState.LEASED),
            new Holder(ready, QueueName.of("before"), JobState.READY),
            new Holder(unstored, QueueName.of("after"), JobState.LEASED));
    assertThat(taken.sentence())
        .isEqualTo(
            ("is blocked by its concurrency key \"host\" of the engine: 4 jobs of it are ready or"
                    + " running (%s is ready, %s runs, %s is ready, %s runs), as many as may be; it"
                    + " is the next of the key")
                .formatted(ours, stored, ready, unstored));
    harness.storeLeases();
    assertThat(taken(harness, last).holders()).containsExactlyInAnyOrderElementsOf(taken.holders());
  }

  @Test
  void blocked_holderWaitsInAPausedQueue_isNamed() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue paused = harness.queues().queue("paused");
    JobId holder = enqueue(paused, "a", host(1));
    paused.pause();
    JobId blocked = enqueue(mail(harness), "b", host(1));

    assertThat(taken(harness, blocked).holders())
        .containsExactly(new Holder(holder, QueueName.of("paused"), JobState.READY));
  }

  @Test
  void blocked_waitsForAStricterJob_isNotToldOfASlot() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue other = harness.queues().queue("other");
    JobId holder = enqueue(other, "a", host(1));
    enqueue(other, "b", host(1));
    JobId waits = enqueue(mail(harness), "c", host(5));

    assertThat(ExplainTrapsTest.sentences(harness, waits))
        .containsExactly(
            "is blocked by its concurrency key \"host\" of the engine: 1 job of it is ready or"
                + " running ("
                + holder
                + " is ready), fewer than its 5, but those before it go first; 1 job of the key is"
                + " before it");
  }

  @Test
  void blocked_manyHoldersInManyQueues_namesAHundred() {
    EngineHarness harness = start(StoreKind.MEMORY);
    for (int i = 0; i < 130; i++) {
      enqueue(harness.queues().queue("q" + i), "a", host(130));
      if (i % 2 == 0) {
        claim(harness.queues().queue("q" + i));
      }
    }
    harness.storeLeases();
    JobId blocked = enqueue(mail(harness), "b", host(130));

    Explanation.KeyTaken taken = taken(harness, blocked);

    assertThat(taken.holderCount()).isEqualTo(130);
    assertThat(taken.holders()).hasSize(Explanation.HOLDER_COUNT_MAX).doesNotHaveDuplicates();
    assertThat(taken.holders().stream().filter(each -> each.state() == JobState.LEASED))
        .hasSize(65);
    assertThat(taken.sentence()).contains(", and 125 more), as many as may be");
  }

  @Test
  void blocked_holderIsBehindAllThatIsLookedAt_isCountedAndCostsNoMore() {
    EngineHarness harness = start(StoreKind.MEMORY);
    for (String name : List.of("long", "longer")) {
      JobQueue queue = harness.queues().queue(name);
      queue.enqueueAll(Collections.nCopies(4_000, NewJob.of(new byte[10])));
      claim(queue, 1_000);
    }
    JobQueue lastOne = harness.queues().queue("last");
    enqueue(lastOne, "a", host(2));
    enqueue(lastOne, "b", host(2));
    claim(lastOne);
    JobId blocked = enqueue(mail(harness), "c", host(2));
    harness.storeLeases();
    harness.awaitNothingDue();
    long before = harness.store().rowsVisited();
    long readsBefore = harness.store().readCount();

    Explanation.KeyTaken taken = taken(harness, blocked);

    assertThat(taken.holderCount()).isEqualTo(2);
    assertThat(taken.holders()).isEmpty();
    assertThat(harness.store().rowsVisited() - before).isLessThanOrEqualTo(2_100);
    assertThat(harness.store().readCount() - readsBefore).isLessThanOrEqualTo(50);
  }

  @Test
  void blocked_manyQueuesWithAReadyJobEach_costsAReadForEachAndEnds() {
    EngineHarness harness = start(StoreKind.MEMORY);
    for (int i = 0; i < 1_200; i++) {
      enqueue(harness.queues().queue("mail", "t" + i), "a");
    }
    enqueue(harness.queues().queue("last"), "b", host(1));
    JobId blocked = enqueue(mail(harness), "c", host(1));
    harness.awaitNothingDue();
    long before = harness.store().rowsVisited();

    Explanation.KeyTaken taken = taken(harness, blocked);

    assertThat(taken.holderCount()).isEqualTo(1);
    assertThat(taken.holders()).isEmpty();
    assertThat(harness.store().rowsVisited() - before).isLessThanOrEqualTo(2_100);
  }
}
