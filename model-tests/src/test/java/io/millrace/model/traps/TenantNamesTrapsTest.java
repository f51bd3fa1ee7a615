package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.api.ClaimOptions;
import io.millrace.api.JobQueues;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.QueueName;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.testkit.rig.InProcess;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** One claim of all tenants of several names: each name has its turns, and each tenant of it. */
@Tag("calls")
class TenantNamesTrapsTest extends TrapTest {

  private static final List<String> BOTH = List.of("mail", "news");
  private static final ClaimOptions TEN = ClaimOptions.by("worker").max(10);

  /** Each text is of the name and the tenant that it begins with: {@code mail/a/1}. */
  private static void enqueue(JobQueues queues, String... texts) {
    for (String text : texts) {
      String[] parts = text.split("/");
      queues.queue(parts[0], parts[1]).enqueue(text.getBytes(UTF_8));
    }
  }

  private static List<String> texts(List<Lease> leases) {
    return leases.stream().map(lease -> new String(lease.payload(), UTF_8)).toList();
  }

  private static void awaitParked(EngineHarness harness, int count) {
    await(count + " claims wait", () -> harness.engine().metrics().parkedClaimCount() == count);
  }

  @ParameterizedTest
  @EachStoreKind
  void claim_severalNames_takesOfEachInTurnAndOfItsTenantsInTheirs(StoreKind kind) {
    EngineHarness harness = start(kind);
    enqueue(harness.queues(), "mail/a/1", "mail/a/2", "mail/a/3", "mail/b/1", "news/c/1");
    enqueue(harness.queues(), "news/c/2", "news/c/3");

    assertThat(texts(harness.queues().claimAcrossTenants(BOTH, TEN)))
        .containsExactly(
            "mail/a/1", "news/c/1", "mail/b/1", "news/c/2", "mail/a/2", "news/c/3", "mail/a/3");
    assertThat(harness.queues().claimAcrossTenants(BOTH, TEN)).isEmpty();
  }

  @ParameterizedTest
  @EachStoreKind
  void claim_oneJobAtATime_nameThatWasServedLongestAgoIsNext(StoreKind kind) {
    EngineHarness harness = start(kind);
    List<String> three = List.of("mail", "news", "print");
    for (int i = 0; i < 4; i++) {
      enqueue(harness.queues(), "mail/a/" + i, "news/b/" + i, "print/c/" + i);
    }

    List<String> names = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      names.addAll(texts(harness.queues().claimAcrossTenants(three, TEN.max(1))));
    }

    assertThat(names.stream().map(text -> text.substring(0, 4)).toList())
        .isEqualTo(
            Collections.nCopies(4, List.of("mail", "news", "prin")).stream()
                .flatMap(List::stream)
                .toList());
  }

  @ParameterizedTest
  @EachStoreKind
  void claim_nameHasABound_othersHaveTheRest(StoreKind kind) {
    EngineHarness harness = start(kind);
    enqueue(harness.queues(), "mail/a/1", "mail/b/1", "mail/c/1", "news/d/1", "news/d/2");
    ClaimOptions bounded = TEN.maxPerQueue(Map.of(QueueName.of("mail"), 2));

    assertThat(texts(harness.queues().claimAcrossTenants(BOTH, bounded)))
        .containsExactly("mail/a/1", "news/d/1", "mail/b/1", "news/d/2");
    assertThat(texts(harness.queues().claimAcrossTenants("mail", bounded)))
        .containsExactly("mail/c/1");
  }

  @ParameterizedTest
  @EachStoreKind
  void claim_waits_isServedByWhateverNameAndWithinItsRoom(StoreKind kind) throws Exception {
    EngineHarness harness = start(kind);
    ClaimOptions waiting = TEN.max(3).waiting(ofSeconds(600));
    CompletableFuture<List<Lease>> first = harness.queues().claimAcrossTenantsAsync(BOTH, waiting);
    awaitParked(harness, 1);
    enqueue(harness.queues(), "news/new/1");
    assertThat(texts(first.get())).containsExactly("news/new/1");
    awaitParked(harness, 0);

    CompletableFuture<List<Lease>> second = harness.queues().claimAcrossTenantsAsync(BOTH, waiting);
    harness
        .queues()
        .inTransaction(
            tx -> {
              for (String text : List.of("mail/a/1", "mail/a/2", "news/b/1", "news/b/2")) {
                String[] parts = text.split("/");
                tx.enqueue(new QueueName(parts[0], parts[1]), text.getBytes(UTF_8));
              }
            })
        .orThrow();

    assertThat(texts(second.get())).hasSize(3).contains("mail/a/1", "news/b/1");
    awaitParked(harness, 0);
    assertThat(harness.queues().claimAcrossTenants(BOTH, TEN)).hasSize(1);
  }

  @ParameterizedTest
  @EachStoreKind
  void claim_afterARestart_findsAllTenantsOfAllNames(StoreKind kind) {
    EngineHarness harness = start(kind);
    for (int i = 0; i < 20; i++) {
      enqueue(harness.queues(), "mail/a" + i + "/1", "news/b" + i + "/1");
    }
    harness.crash();

    List<String> got = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      got.addAll(texts(harness.queues().claimAcrossTenants(BOTH, TEN.waiting(ofSeconds(5)))));
    }

    assertThat(got).hasSize(40).doesNotHaveDuplicates();
  }

  @InProcess("a client cancels the future of a wait that is ended")
  @Test
  void endWait_ofSeveralNames_leavesNothingWaiting() throws Exception {
    EngineHarness harness = start(StoreKind.MEMORY);
    CompletableFuture<List<Lease>> waiting =
        harness.queues().claimAcrossTenantsAsync(BOTH, TEN.waiting(ofSeconds(600)));

    harness.queues().endWait(waiting);

    assertThat(waiting.get()).isEmpty();
    enqueue(harness.queues(), "mail/a/1", "news/b/1");
    assertThat(harness.queues().claimAcrossTenants(List.of("news", "news"), TEN)).hasSize(1);
    assertThat(harness.queues().claimAcrossTenants(List.of("mail"), TEN)).hasSize(1);
  }

  @Test
  void claim_namesOrBoundsThatCannotBe_areRefusedWithWhatToDo() {
    EngineHarness harness = start(StoreKind.MEMORY);
    List<String> many =
        IntStream.rangeClosed(0, Limits.CLAIM_QUEUE_COUNT_MAX).mapToObj(i -> "q" + i).toList();
    ClaimOptions ofTenant = TEN.maxPerQueue(Map.of(new QueueName("mail", "a"), 1));

    assertRefused(harness, List.of(), TEN, "number of names", "0");
    assertRefused(harness, many, TEN, "number of names", "1001", "1000");
    assertRefused(harness, BOTH, ofTenant, "maxPerQueue={mail@a=1}", "QueueName.of(\"mail\")");
  }

  private static void assertRefused(
      EngineHarness harness, List<String> names, ClaimOptions claim, String... said) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> harness.queues().claimAcrossTenants(names, claim).forEach(Lease::close))
        .withMessageContainingAll(said);
  }
}
