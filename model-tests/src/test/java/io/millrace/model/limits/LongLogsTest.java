package io.millrace.model.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobState;
import io.millrace.api.NewJob;
import io.millrace.model.rig.Await;
import io.millrace.model.rig.StoreKind;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Many queues whose logs of slots are all about to give up a long row, on a narrow store. */
@Timeout(120)
class LongLogsTest {

  private static final int QUEUE_COUNT = 20;

  /** As many as one row of a log tells of. */
  private static final int KEY_COUNT = 256;

  /** As many as a log keeps. */
  private static final int ROW_COUNT = 64;

  private static final int OPERATIONS_FEW = 4_096;
  private static final long BYTES_MANY = 64 << 20;

  @TempDir Path folder;

  private static EnqueueOptions keyed(int key) {
    return EnqueueOptions.DEFAULT.concurrencyKey("key " + key);
  }

  @Test
  void jobsOfAllQueuesComeDue_theirRowsFitIntoBatches() {
    try (LimitedEngine limited =
        new LimitedEngine(
            NarrowStore.factory(StoreKind.MEMORY.newFactory(), OPERATIONS_FEW, BYTES_MANY),
            folder)) {
      for (int i = 0; i < QUEUE_COUNT; i++) {
        limited.add(i, 1, keyed(0).delay(LimitedEngine.DELAY));
        limited
            .queue(i)
            .enqueueAll(
                IntStream.range(0, KEY_COUNT)
                    .mapToObj(key -> new NewJob(new byte[1], keyed(key)))
                    .toList());
        for (int row = 1; row < ROW_COUNT; row++) {
          limited.add(i, 1, keyed(0));
        }
      }

      limited.harness().clock().advanceMs(LimitedEngine.DELAY.toMillis() + 1);
      limited.harness().poke();

      for (int i = 0; i < QUEUE_COUNT; i++) {
        int queue = i;
        Await.until("what is due is moved", () -> limited.count(queue, JobState.DELAYED) == 0);
        assertThat(limited.count(i, JobState.BLOCKED)).isEqualTo(ROW_COUNT);
      }
      limited.assertClean();
    }
  }
}
