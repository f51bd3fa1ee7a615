package io.millrace.jmh.load;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.api.Durability;
import io.millrace.jmh.load.LoadOptions.Callers;
import io.millrace.jmh.load.LoadOptions.LoadOn;
import io.millrace.jmh.load.LoadOptions.Queues;
import io.millrace.jmh.load.LoadOptions.Timing;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoadOptionsTest {

  private static final Timing SECOND = new Timing(Duration.ofSeconds(1), 1, 0);

  @Test
  void options_withAPayloadTooShortForItsNumber_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options(Workload.CYCLE, 15, Queues.SINGLE))
        .withMessageContainingAll("--payload", "15", "16");
  }

  @Test
  void options_withoutProducers_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Callers(0, 1, 1, 0))
        .withMessageContainingAll("--producers", "0", "1");
  }

  @Test
  void options_withMoreThanACallMayHold_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new LoadOptions(
                    Workload.CYCLE,
                    "memory",
                    Durability.SYNCED,
                    new Callers(1, 1, 10_000, 0),
                    65_536,
                    0,
                    Queues.SINGLE,
                    SECOND,
                    Path.of(".")))
        .withMessageContaining("--batch x --payload");
  }

  @Test
  void options_withSpreadLoadOnAnotherWorkload_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options(Workload.SOAK, 64, new Queues(2, LoadOn.ALL)))
        .withMessage(
            "--load-on all and tenants are for the workload cycle without a backlog: workload=soak,"
                + " backlog=0");
  }

  private static LoadOptions options(Workload workload, int payloadBytes, Queues queues) {
    return new LoadOptions(
        workload,
        "memory",
        Durability.SYNCED,
        new Callers(1, 1, 1, 0),
        payloadBytes,
        0,
        queues,
        SECOND,
        Path.of("."));
  }
}
