package io.millrace.model.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.CancelResult;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.model.rig.Await;
import io.millrace.model.rig.StoreKind;
import io.millrace.model.rig.UnreadableFactory;
import io.millrace.spi.StoreException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A group that cannot be carried out as it is, is divided until only what is at fault fails. */
@Tag("slow")
class DividedGroupTest {

  @TempDir Path folder;

  @Test
  void read_failsForOneRequestOfAGroup_isRefusedAloneAndTheOthersAreCarriedOut()
      throws InterruptedException {
    int count = 9;
    int fault = 5;
    UnreadableFactory store = new UnreadableFactory(StoreKind.FAULTY.newFactory());
    try (LimitedEngine limited = new LimitedEngine(store, folder)) {
      List<JobId> ids = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        ids.add(limited.queue(0).enqueue(new byte[1]).jobId());
      }
      store.hide(ids.get(fault));
      List<CompletableFuture<CancelResult>> answers = new ArrayList<>();

      limited.together(
          () ->
              ids.forEach(
                  id -> answers.add(limited.begin(() -> limited.engine().cancelIfWaiting(id)))),
          count);

      for (int i = 0; i < count; i++) {
        CompletableFuture<CancelResult> answer = answers.get(i);
        if (i == fault) {
          assertThatThrownBy(() -> Await.join(answer))
              .isInstanceOf(StoreException.class)
              .hasMessage("this row cannot be read");
        } else {
          assertThat(Await.join(answer)).isEqualTo(CancelResult.CANCELLED);
        }
      }
      store.show();
      assertThat(limited.count(0, JobState.READY)).isEqualTo(1);
      assertThat(limited.claim(0, 1).get(0).jobId()).isEqualTo(ids.get(fault));
      limited.assertClean();
    }
  }
}
