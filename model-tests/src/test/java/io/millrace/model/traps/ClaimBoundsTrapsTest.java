package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueues;
import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.testkit.rig.InProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Claims take no more than their worker can begin: bounds for single queues, waits that end. */
@Tag("calls")
class ClaimBoundsTrapsTest extends TrapTest {

  private static final QueueName MAIL = QueueName.of("mail");
  private static final QueueName PRINT = QueueName.of("print");
  private static final ClaimOptions TEN = ClaimOptions.by("worker").max(10);

  private static void enqueue(JobQueues queues, String... texts) {
    for (String text : texts) {
      queues.queue(text.replaceAll("[0-9].*", "")).enqueue(text.getBytes(UTF_8));
    }
  }

  private static List<String> texts(List<Lease> leases) {
    return leases.stream().map(lease -> new String(lease.payload(), UTF_8)).toList();
  }

  @ParameterizedTest
  @EachStoreKind
  void claim_moreThanTheBoundIsReady_restStaysInItsOrder(StoreKind kind) {
    EngineHarness harness = start(kind);
    enqueue(harness.queues(), "mail1", "mail2", "print1", "mail3", "print2");
    ClaimOptions oneMail = TEN.maxPerQueue(Map.of(MAIL, 1));

    assertThat(texts(harness.queues().claim(List.of(MAIL, PRINT), oneMail)))
        .containsExactly("mail1", "print1", "print2");
    assertThat(texts(harness.queues().claim(List.of(MAIL, PRINT), TEN)))
        .containsExactly("mail2", "mail3");
  }

  @ParameterizedTest
  @EachStoreKind
  void claim_waits_isServedWithinTheBound(StoreKind kind) throws Exception {
    EngineHarness harness = start(kind);
    CompletableFuture<List<Lease>> waiting =
        harness
            .queues()
            .claimAsync(
                List.of(MAIL, PRINT),
                TEN.maxPerQueue(Map.of(MAIL, 2, PRINT, 1)).waiting(ofSeconds(60)));

    harness
        .queues()
        .transact(
            tx -> {
              for (String text : List.of("mail1", "mail2", "mail3")) {
                tx.enqueue(MAIL, text.getBytes(UTF_8));
              }
              return tx.enqueue(PRINT, "print1".getBytes(UTF_8));
            })
        .orThrow();

    assertThat(texts(waiting.get())).containsExactly("mail1", "mail2", "print1");
  }

  @InProcess("a client cancels the future of a wait that is ended")
  @ParameterizedTest
  @EachStoreKind
  void endWait_nothingGranted_isAnsweredWithNothingAndTakesNoJob(StoreKind kind) throws Exception {
    EngineHarness harness = start(kind);
    CompletableFuture<List<Lease>> named =
        harness.queues().claimAsync(List.of(MAIL, PRINT), TEN.waiting(ofSeconds(600)));
    CompletableFuture<List<Lease>> tenants =
        harness.queues().claimAcrossTenantsAsync("mail", TEN.waiting(ofSeconds(600)));

    harness.queues().endWait(named);
    harness.queues().endWait(tenants);

    assertThat(named.get()).isEmpty();
    assertThat(tenants.get()).isEmpty();
    enqueue(harness.queues(), "mail1");
    assertThat(texts(harness.queues().claim(List.of(MAIL), TEN))).containsExactly("mail1");
  }

  /** The wait ends at about the moment when a job comes: it is granted once, and never back. */
  @InProcess("a client cancels the future of a wait that is ended")
  @ParameterizedTest
  @EachStoreKind
  void endWait_whileJobsCome_noneIsGrantedInVain(StoreKind kind) throws Exception {
    EngineHarness harness = start(kind);
    List<String> got = new ArrayList<>();
    int count = 200;
    for (int i = 0; i < count; i++) {
      CompletableFuture<List<Lease>> waiting =
          harness.queues().claimAsync(List.of(MAIL), TEN.waiting(ofSeconds(600)));
      CompletableFuture<?> enqueued =
          harness
              .queues()
              .queue("mail")
              .enqueueAsync(("mail" + i).getBytes(UTF_8), EnqueueOptions.DEFAULT);
      if (i % 3 == 0) {
        Thread.yield();
      }
      harness.queues().endWait(waiting);
      got.addAll(texts(waiting.get()));
      enqueued.get();
      got.addAll(texts(harness.queues().claim(List.of(MAIL), TEN)));
    }

    assertThat(got).hasSize(count).doesNotHaveDuplicates();
    assertThat(harness.engine().metrics().operations(QueueStats.Total.RELEASED)).isZero();
  }

  @Test
  void endWait_ofAnAnsweredOrAForeignFuture_leavesNothingWaiting() {
    EngineHarness harness = start(StoreKind.MEMORY);
    CompletableFuture<List<Lease>> answered = CompletableFuture.completedFuture(List.of());
    CompletableFuture<List<Lease>> foreign = new CompletableFuture<>();

    harness.queues().endWait(answered);
    harness.queues().endWait(foreign);

    assertThat(answered).isCompletedWithValue(List.of());
    assertThat(foreign).isCancelled();
  }

  @Test
  void maxPerQueue_outOfRange_isRefusedByItsName() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TEN.maxPerQueue(Map.of(MAIL, 0)))
        .withMessageContaining("maxPerQueue of mail");
  }
}
