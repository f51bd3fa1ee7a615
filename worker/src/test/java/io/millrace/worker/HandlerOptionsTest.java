package io.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Backoff;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class HandlerOptionsTest extends WorkerRig {

  private static final BackoffFunction SOON = (attempt, thrown) -> Optional.of(Duration.ZERO);

  private static final List<UnaryOperator<HandlerOptions>> CHANGES =
      List.of(
          o -> o.concurrency(3),
          o -> o.timeout(Duration.ofSeconds(3)),
          o -> o.backoff(Backoff.fixed(Duration.ofSeconds(3))),
          o -> o.backoff(SOON),
          o -> o.permanent(IOException.class),
          o -> o.releaseOn(IOException.class));

  @Test
  void changes_each_makesOthersAndLeavesWhatItChanges() {
    List<HandlerOptions> all =
        CHANGES.stream().map(change -> change.apply(HandlerOptions.DEFAULT)).toList();

    assertThat(all).doesNotHaveDuplicates().doesNotContain(HandlerOptions.DEFAULT);
    assertThat(CHANGES.stream().map(change -> change.apply(HandlerOptions.DEFAULT)).toList())
        .isEqualTo(all);
  }

  @Test
  void handle_changeIsThrownAway_isRefused() {
    CHANGES.forEach(
        change ->
            assertThatThrownBy(
                    () ->
                        Worker.on(queues)
                            .handle(
                                MAIL,
                                (text, job) -> {},
                                given -> {
                                  HandlerOptions lost = change.apply(given);
                                  assertThat(lost).isNotSameAs(given);
                                  return given;
                                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("changes of options are lost: made=1, in the answer=0"));
  }
}
