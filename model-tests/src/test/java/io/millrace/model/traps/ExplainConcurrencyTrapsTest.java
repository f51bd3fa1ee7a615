package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Explanation;
import io.millrace.api.Explanation.Reason;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;

/** Jobs are explained while they are worked on: what is looked at moves on in between. */
class ExplainConcurrencyTrapsTest extends TrapTest {

  private static final int JOB_COUNT = 600;

  /** What each state is told with, and no other. */
  private static void assertConsistent(Explanation told) {
    List<String> kinds = told.reasons().stream().map(Reason::kind).toList();
    JobState state = told.state();
    assertThat(kinds.contains("Running")).as(told.toString()).isEqualTo(state == JobState.LEASED);
    assertThat(kinds.contains("KeyTaken")).as(told.toString()).isEqualTo(state == JobState.BLOCKED);
    assertThat(kinds.contains("Delayed")).as(told.toString()).isEqualTo(state == JobState.DELAYED);
    assertThat(kinds).as(told.toString()).doesNotHaveDuplicates();
    if (state != JobState.READY) {
      assertThat(kinds)
          .as(told.toString())
          .doesNotContain("Behind", "NoClaims", "ServedNext", "TooHeavy");
    }
  }

  @ParameterizedTest
  @EachStoreKind
  void explain_besideWorkers_neverContradictsItself(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue mail = mail(harness);
    Queue<JobId> ids = new ConcurrentLinkedQueue<>();
    AtomicBoolean isOver = new AtomicBoolean();
    AtomicInteger explained = new AtomicInteger();
    List<CompletableFuture<?>> askers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      askers.add(
          CompletableFuture.runAsync(
              () -> {
                while (!isOver.get()) {
                  for (JobId id : ids) {
                    harness
                        .queues()
                        .explain(id)
                        .ifPresent(ExplainConcurrencyTrapsTest::assertConsistent);
                    explained.incrementAndGet();
                  }
                }
              }));
    }

    for (int i = 0; i < JOB_COUNT; i++) {
      EnqueueOptions options =
          i % 3 == 0 ? EnqueueOptions.DEFAULT : EnqueueOptions.DEFAULT.concurrencyKey("k" + i % 2);
      ids.add(mail.enqueue("x".getBytes(UTF_8), options).jobId());
      for (Lease lease : mail.claim(ClaimOptions.by("worker").max(2))) {
        switch (i % 4) {
          case 0 -> lease.release().orThrow();
          case 1 -> lease.fail("broken").orThrow();
          default -> lease.complete().orThrow();
        }
      }
      while (ids.size() > 20) {
        ids.poll();
      }
    }
    isOver.set(true);
    askers.forEach(TrapTest::join);

    assertThat(explained).hasPositiveValue();
    assertClean(harness);
  }
}
