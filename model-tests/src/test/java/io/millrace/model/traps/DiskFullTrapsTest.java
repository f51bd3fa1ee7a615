package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.CompleteResult;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.ExtendResult;
import io.millrace.api.FailResult;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.ReleaseResult;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.testkit.fault.Machine;
import io.millrace.spi.testkit.rig.InProcess;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;

/** What {@link FaultTrapsTest} says of a full disk, on real stores that fill a real one. */
@InProcess("what a store's faults do, whoever calls")
class DiskFullTrapsTest extends TrapTest {

  private static final int LARGE_COUNT_MAX = 10_000;

  @ParameterizedTest
  @EachStoreKind({StoreKind.LMDB, StoreKind.ROCKSDB})
  void disk_filledByTheQueue_runningJobsFinishAndWorkResumesOnceItIsEmptied(StoreKind kind)
      throws IOException {
    Machine.require("mount", "umount");
    Machine.run("mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", folder.toString());
    try (EngineHarness harness = start(kind)) {
      JobQueue mail = mail(harness);
      for (int i = 0; i < 4; i++) {
        enqueue(mail, "running " + i, EnqueueOptions.DEFAULT.maxAttempts(5));
      }
      List<Lease> leases = claim(mail, 4);

      assertThatThrownBy(() -> fill(mail)).isInstanceOf(StoreFullException.class);

      assertThat(harness.engine().isFull()).isTrue();
      assertThat(harness.engine().poison()).isEmpty();
      assertThatThrownBy(() -> mail.enqueue("refused".getBytes(UTF_8)))
          .isInstanceOf(StoreFullException.class);
      assertThat(leases)
          .allSatisfy(lease -> assertThat(lease.remaining()).isEqualTo(ofSeconds(30)));
      assertThat(leases.get(0).complete()).isEqualTo(CompleteResult.COMPLETED);
      assertThat(leases.get(1).fail("broken")).isInstanceOf(FailResult.Retried.class);
      assertThat(leases.get(2).release()).isEqualTo(ReleaseResult.RELEASED);
      assertThat(leases.get(3).extend(ofMinutes(1))).isInstanceOf(ExtendResult.Extended.class);
      assertThat(leases.get(3).complete()).isEqualTo(CompleteResult.COMPLETED);

      completeAll(mail);
      awaitRoom(harness);
      enqueue(mail, "works again");
      assertThat(payloads(claim(mail, 10))).contains("works again");
      assertClean(harness);
    } finally {
      Machine.run("umount", folder.toString());
    }
  }

  private static void fill(JobQueue queue) {
    for (int i = 0; i < LARGE_COUNT_MAX; i++) {
      queue.enqueue(new byte[20_000]);
    }
  }

  private static void completeAll(JobQueue queue) {
    List<Lease> leases = claim(queue, 100);
    while (!leases.isEmpty()) {
      assertThat(leases)
          .allSatisfy(lease -> assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED));
      leases = claim(queue, 100);
    }
    assertThat(peek(queue, JobState.READY)).isEmpty();
  }

  /** Lets the engine probe, once a second, until it finds room. */
  private static void awaitRoom(EngineHarness harness) {
    await(
        "there is room again",
        () -> {
          advance(harness, ofSeconds(1));
          return !harness.engine().isFull();
        });
  }
}
