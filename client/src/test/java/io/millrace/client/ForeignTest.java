package io.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.Durability;
import io.millrace.api.JobQueues;
import io.millrace.api.Lease;
import io.millrace.protocol.Call;
import io.millrace.protocol.Operation;
import io.millrace.protocol.Protocol;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Things of one server, of another, and of an engine in this process. */
@Timeout(60)
class ForeignTest {

  private static Lease leased(JobQueues queues) {
    queues.queue("mail").enqueue(new byte[0]);
    return queues.queue("mail").claim(ClaimOptions.by("w")).get(0);
  }

  @Test
  void leases_ofOthers_areRefusedAsAnEngineRefusesThem() {
    try (Served one = new Served();
        Served other = new Served()) {
      Lease ofOther = leased(other.queues());
      Lease ofEngine = leased(one.engine());

      for (Lease foreign : List.of(ofOther, ofEngine)) {
        assertThatThrownBy(() -> one.queues().completeAll(List.of(foreign)))
            .isExactlyInstanceOf(IllegalArgumentException.class)
            .hasMessage("lease was not granted by this engine: lease=" + foreign);
      }
      assertThatThrownBy(() -> one.engine().completeAll(List.of(ofOther)))
          .hasMessage("lease was not granted by this engine: lease=" + ofOther);
      Lease named = one.queues().lease(ofEngine.jobId(), ofEngine.token());
      assertThat(one.queues().with(Durability.SYNCED).completeAll(List.of(named)))
          .containsExactly(CompleteResult.COMPLETED);
    }
  }

  @Test
  void claim_thatWasGivenUp_takesNoJob() {
    try (Served served = new Served()) {
      CompletableFuture<List<Lease>> claim =
          served
              .queues()
              .queue("mail")
              .claimAsync(ClaimOptions.by("gone").waiting(Duration.ofHours(1)));
      claim.cancel(false);
      served.engine().queue("mail").enqueue(new byte[0]);

      List<Lease> leases =
          served.engine().queue("mail").claim(ClaimOptions.by("w").waiting(Duration.ofSeconds(30)));

      assertThat(leases).singleElement().extracting(Lease::attempt).isEqualTo(1);
    }
  }

  @Test
  void durability_thatWasAskedFor_isInEachCallThatHasOne() {
    Set<String> having = new TreeSet<>();
    for (SameAnswersTest.Script script : SameAnswersTest.ALL.values()) {
      try (Served served = new Served()) {
        script.run(served.queues().with(Durability.SYNCED), new Told());
        for (Call<?> call : served.calls().all()) {
          durability(call.getClass())
              .ifPresent(
                  component -> {
                    having.add(call.getClass().getSimpleName());
                    assertThat((Optional<?>) value(component, call)).as(call + "").isPresent();
                  });
        }
      }
    }
    Set<String> all = new TreeSet<>();
    for (Operation<?, ?> operation : Protocol.operations()) {
      if (durability(operation.call()).isPresent()) {
        all.add(operation.name());
      }
    }
    assertThat(having).isEqualTo(all);
  }

  /** Returns the durability that calls of this kind ask for; empty if they have none. */
  private static Optional<RecordComponent> durability(Class<?> call) {
    return Arrays.stream(call.getRecordComponents())
        .filter(component -> component.getName().equals("durability"))
        .findFirst();
  }

  private static Object value(RecordComponent component, Call<?> call) {
    try {
      return component.getAccessor().invoke(call);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }
}
