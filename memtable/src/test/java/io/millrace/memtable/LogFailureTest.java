package io.millrace.memtable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.memtable.MemoryLog.Call;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreFullException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A log that fails, or is full, at each of its calls in turn. */
class LogFailureTest {

  private static final int BATCH_COUNT = 12;

  @ParameterizedTest
  @EnumSource(Call.class)
  void log_failsAtAnyCall_nothingAcknowledgedIsLost(Call call) {
    for (int index = 0; index < 4; index++) {
      MemtableRig rig = failing(call, index, new StoreFailedException("wanted by a test"));
      rig.open();

      List<String> acknowledged = writeUntilRefused(rig, StoreFailedException.class);
      assertThatThrownBy(() -> rig.put("later", "1")).isInstanceOf(StoreFailedException.class);
      rig.log.onCall = each -> {};
      closeAnyway(rig);

      rig.open();
      assertThat(rig.rows()).isEqualTo(acknowledged);
      rig.store.close();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Call.class,
      names = {"APPEND", "TURN"})
  void log_isFullAtAnyCall_theStoreGoesOn(Call call) {
    for (int index = 0; index < 4; index++) {
      MemtableRig rig = failing(call, index, new StoreFullException("wanted by a test"));
      rig.open();

      List<String> acknowledged = writeUntilRefused(rig, StoreException.class);

      assertThat(acknowledged).hasSize(BATCH_COUNT);
      assertThat(rig.rows()).isEqualTo(acknowledged);
      rig.store.close();
      rig.open();
      assertThat(rig.rows()).isEqualTo(acknowledged);
      rig.store.close();
    }
  }

  @Test
  void log_isFull_whatItHoldsIsFoldedToMakeRoom() {
    MemtableRig rig = new MemtableRig(1);
    rig.log.bytesMax = 1_000;
    rig.open();

    for (int i = 0; i < 200; i++) {
      rig.put("key " + i, "some value");
    }

    assertThat(rig.rows()).hasSize(200);
    assertThat(rig.base.events).hasSizeGreaterThan(10);
    rig.store.close();
  }

  @Test
  void log_hasNoRoomForABatch_itIsRefusedAndNothingHappens() {
    MemtableRig rig = new MemtableRig(1);
    rig.log.bytesMax = 1_000;
    rig.open();
    rig.put("small", "1");

    assertThatThrownBy(() -> rig.put("large", "x".repeat(1_000)))
        .isInstanceOf(StoreFullException.class);

    assertThat(rig.store.lastCommit()).isEqualTo(1);
    assertThat(rig.rows()).containsExactly("small=1");
    rig.put("small", "2");
    assertThat(rig.rows()).containsExactly("small=2");
    rig.store.close();
  }

  private static MemtableRig failing(Call call, int index, StoreException thrown) {
    MemtableRig rig = new MemtableRig(1);
    rig.options = rig.options.layer(1 << 20, 2);
    AtomicInteger count = new AtomicInteger();
    rig.log.onCall =
        each -> {
          if (each == call && count.getAndIncrement() == index) {
            throw thrown;
          }
        };
    return rig;
  }

  /** Writes and syncs until it may not; answers what was acknowledged. */
  private static List<String> writeUntilRefused(
      MemtableRig rig, Class<? extends StoreException> refusal) {
    List<String> acknowledged = new ArrayList<>();
    try {
      for (int i = 0; i < BATCH_COUNT; i++) {
        String key = String.format("key %02d", i);
        rig.put(key, "1");
        acknowledged.add(key + "=1");
        rig.store.sync();
      }
      rig.store.close();
      rig.open();
    } catch (StoreException e) {
      assertThat(e).isInstanceOf(refusal);
    }
    return acknowledged;
  }

  private static void closeAnyway(MemtableRig rig) {
    try {
      rig.store.close();
    } catch (StoreException e) {
      // It has failed, and says so again.
      return;
    }
  }
}
