package io.millrace.internal.transition;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EnqueueOptions;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.SlotRecord;
import io.millrace.internal.state.SlotTable;
import io.millrace.internal.transition.move.Slots;
import io.millrace.internal.transition.queue.GoOnUnfinished;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class GoOnUnfinishedTest {

  private final TransitionRig rig = new TransitionRig();

  @AfterEach
  void close() {
    assertThat(rig.problems()).isEmpty();
    rig.close();
  }

  @Test
  void finishedByABatchThatIsTakenBack_isStillToBeDone() {
    byte[] slotKey = SlotKeys.keyOfEngine("host".getBytes(UTF_8));
    rig.enqueue(EnqueueOptions.DEFAULT.engineConcurrencyKey("host", 1));
    rig.put(slotKey, new SlotRecord(1, 0, true).encode(slotKey));
    rig.unload();
    SlotTable slots = rig.state.slots();
    slots.noteUnfinished(slotKey);

    rig.look(
        batch -> {
          slots.setUnfinished(Slots.ofEngine(batch, slotKey), false);
          new GoOnUnfinished().apply(batch);
          rig.state.undoBatch();
        });

    assertThat(slots.firstUnfinished()).isEqualTo(slotKey);
    rig.apply(new GoOnUnfinished());
    rig.apply(new GoOnUnfinished());
    assertThat(slots.firstUnfinished()).isNull();
  }
}
