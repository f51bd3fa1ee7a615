package io.millrace.model.traps;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.UpdateOptions;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** What a claim takes fits into the memory of who claims. */
@Tag("calls")
class ClaimBytesTrapsTest extends TrapTest {

  private static final ClaimOptions MANY = ClaimOptions.by("worker").max(40);

  private static void enqueue(JobQueue queue, int... lengths) {
    for (int length : lengths) {
      queue.enqueue(new byte[length]);
    }
  }

  private static List<Integer> lengths(List<Lease> leases) {
    return leases.stream().map(lease -> lease.payload().length).toList();
  }

  @Test
  void claim_largestPayloads_takesTheDefaultAtATime() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    int largest = Limits.PAYLOAD_BYTES_MAX;
    enqueue(mail, largest, largest, largest);

    assertThat(MANY.maxBytes()).isEqualTo(Limits.CLAIM_BYTES_DEFAULT).isEqualTo(32 << 20);
    assertThat(lengths(mail.claim(MANY))).containsExactly(largest, largest);
    assertThat(lengths(mail.claim(MANY))).containsExactly(largest);
  }

  @ParameterizedTest
  @EachStoreKind
  void claim_nextJobDoesNotFit_endsBeforeItAndSkipsNone(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue mail = mail(harness);
    enqueue(mail, 10, 2_000, 5_000, 10, 20);
    ClaimOptions small = MANY.maxBytes(2_010);

    assertThat(lengths(mail.claim(small))).containsExactly(10, 2_000);
    assertThat(lengths(mail.claim(small))).as("alone, if it is the first").containsExactly(5_000);
    assertThat(lengths(mail.claim(small))).containsExactly(10, 20);
  }

  @ParameterizedTest
  @EachStoreKind
  void claim_headers_countInBytesWhereverTheyAre(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue mail = mail(harness);
    Map<String, String> short9 = Map.of("ä", "éé€");
    Map<String, String> long4002 = Map.of("n", "€".repeat(1_333) + "xx");
    for (Map<String, String> headers : List.of(short9, long4002)) {
      for (int i = 0; i < 3; i++) {
        mail.enqueue(new byte[1], EnqueueOptions.DEFAULT.headers(headers));
      }
    }

    assertThat(mail.claim(MANY.maxBytes(20))).hasSize(2);
    assertThat(mail.claim(MANY.maxBytes(19))).hasSize(1);
    assertThat(mail.claim(MANY.maxBytes(2 * 4_003))).hasSize(2);
    assertThat(mail.claim(MANY.maxBytes(1))).hasSize(1);
  }

  @Test
  void claim_contentWasReplaced_countsTheNewOne() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    enqueue(mail, 1, 1, 1);
    List<Lease> leases = mail.claim(MANY);
    leases.get(0).checkpoint(new byte[3_000]).orThrow();
    leases.forEach(lease -> lease.release().orThrow());
    harness
        .queues()
        .update(leases.get(1).jobId(), UpdateOptions.NOTHING.payload(new byte[4_000]))
        .orThrow();

    assertThat(lengths(mail.claim(MANY.maxBytes(6_999)))).containsExactly(1);
    assertThat(lengths(mail.claim(MANY.maxBytes(4_001)))).containsExactly(4_000, 1);
  }

  @Test
  void claim_ofEveryKind_keepsToTheBytes() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    JobQueue print = harness.queues().queue("print");
    ClaimOptions small = MANY.maxBytes(100);
    for (int i = 0; i < 3; i++) {
      enqueue(mail, 40);
      enqueue(print, 40);
    }

    assertThat(harness.queues().claim(List.of(mail.name(), print.name()), small))
        .extracting(Lease::queue)
        .containsExactly(mail.name(), print.name());
    assertThat(join(mail.claimAsync(small))).hasSize(2);
    assertThat(join(print.claimAsync(small))).hasSize(2);
    CompletableFuture<List<Lease>> waiting = mail.claimAsync(small.waiting(ofSeconds(5)));
    harness.poke();
    mail.enqueueAll(
        List.of(
            new NewJob(new byte[60], EnqueueOptions.DEFAULT),
            new NewJob(new byte[60], EnqueueOptions.DEFAULT)));
    assertThat(lengths(join(waiting))).containsExactly(60);
    assertThat(lengths(mail.claim(small))).containsExactly(60);
  }
}
