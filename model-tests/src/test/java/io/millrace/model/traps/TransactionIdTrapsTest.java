package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.internal.format.JobAddress;
import io.millrace.model.rig.Await;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.testkit.rig.InProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Ids that transactions are told before their jobs are there. */
class TransactionIdTrapsTest extends TrapTest {

  private static final QueueName SHIP = QueueName.of("ship");

  private static JobQueue ship(EngineHarness harness) {
    return harness.queues().queue(SHIP);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  @ParameterizedTest
  @EachStoreKind
  void transact_betweenTheStepsOfAPurge_itsJobStays(StoreKind kind) throws Exception {
    EngineHarness harness = start(kind);

    assertJobOutlivesAPurge(harness, JobState.READY, EnqueueOptions.DEFAULT);
    assertJobOutlivesAPurge(
        harness, JobState.DELAYED, EnqueueOptions.DEFAULT.delay(Duration.ofHours(1)));
  }

  private static void assertJobOutlivesAPurge(
      EngineHarness harness, JobState state, EnqueueOptions options) throws Exception {
    JobQueue ship = ship(harness);
    AtomicInteger calls = new AtomicInteger();
    Function<String, JobId> transact =
        payload ->
            harness
                .queues()
                .transact(
                    tx -> {
                      calls.incrementAndGet();
                      return tx.enqueue(SHIP, bytes(payload), options);
                    })
                .orThrow();
    // From here on there are ids that were told before the purge and not used.
    JobId before = transact.apply("before");
    assertThat(before).isNotNull();
    ship.enqueueAll(Collections.nCopies(2_499, new NewJob(bytes("many"), options)));
    harness.store().holdNextWrite();
    CompletableFuture<Long> purged =
        CompletableFuture.supplyAsync(() -> ship.purge(EnumSet.of(state)));
    harness.store().awaitHeld();

    CompletableFuture<JobId> later = CompletableFuture.supplyAsync(() -> transact.apply("later"));
    awaitRingDepth(harness, 1);
    harness.store().letGo();

    assertThat(join(purged)).isEqualTo(2_500);
    assertThat(harness.queues().get(join(later))).isPresent();
    assertThat(peek(ship, state)).containsExactly("later");
    assertThat(calls).hasValue(3);
    assertClean(harness);
  }

  @InProcess("a client asks for ids in other steps")
  @Test
  void transact_manyNewJobs_idsAreAskedForInLargerAndLargerSteps() {
    EngineHarness harness = start(StoreKind.MEMORY);

    List<JobId> ids =
        harness
            .queues()
            .transact(
                tx -> {
                  List<JobId> told = new ArrayList<>();
                  for (int i = 0; i < 2_000; i++) {
                    told.add(tx.enqueue(SHIP, bytes("send")));
                    // What is asked for later is not next to it.
                    Await.another(() -> enqueue(mail(harness), "another"));
                  }
                  return told;
                })
            .orThrow();

    List<Long> births = ids.stream().map(id -> JobAddress.of(id).orElseThrow().birth()).toList();
    List<Integer> begins =
        IntStream.range(0, births.size())
            .filter(i -> i == 0 || births.get(i) != births.get(i - 1) + 1)
            .boxed()
            .toList();
    assertThat(begins).containsExactly(0, 256, 512, 1_024);
    assertClean(harness);
  }
}
