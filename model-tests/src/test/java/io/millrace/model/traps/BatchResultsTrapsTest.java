package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.JobOutput;
import io.millrace.api.Lease;
import io.millrace.api.NoSuchBatchException;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Results that batches keep: in the order of their jobs, and for as long as the batch. */
class BatchResultsTrapsTest extends BatchTrapTest {

  private static List<String> results(EngineHarness harness, BatchId id) {
    return Page.stream(
            page -> harness.engine().batches().results(id, new PageRequest(2, page.cursor())))
        .map(result -> new String(result.result(), UTF_8))
        .toList();
  }

  private static byte[] result(Lease lease) {
    return ("result of " + new String(lease.payload(), UTF_8)).getBytes(UTF_8);
  }

  @ParameterizedTest
  @EnumSource(StoreKind.class)
  void results_ofJobsThatEndedInAnyOrder_areInTheOrderOfAdding(StoreKind kind) {
    EngineHarness harness = start(kind);
    Batch batch = Batch.of("b").keepResults();
    for (String payload : List.of("a", "b", "c", "d", "e")) {
      batch.add(MAIL, job(payload));
    }
    BatchId id = begin(harness, batch);
    List<Lease> leases = new ArrayList<>(claim(mail(harness), 5));
    leases.get(3).complete(result(leases.get(3))).orThrow();
    leases.get(0).complete(result(leases.get(0))).orThrow();
    leases.get(2).complete().orThrow();
    leases.get(4).fail("no", DEAD).orThrow();
    harness
        .engine()
        .inTransaction(tx -> tx.complete(leases.get(1), result(leases.get(1))))
        .orThrow();

    assertThat(results(harness, id)).containsExactly("result of a", "result of b", "result of d");
    assertThat(harness.engine().batches().results(id, PageRequest.first(1)).items())
        .extracting(JobOutput::jobId)
        .containsExactly(leases.get(0).jobId());
    assertClean(harness);
    harness.crash();
    assertThat(results(harness, id)).containsExactly("result of a", "result of b", "result of d");
  }

  @ParameterizedTest
  @EnumSource(StoreKind.class)
  void results_retentionOfTheBatchPasses_areGoneWithIt(StoreKind kind) {
    EngineHarness harness = start(kind);
    Batch batch = Batch.of("b").keepResults().retention(Duration.ofHours(1));
    int count = 1_200; // more than one step removes
    for (int i = 0; i < count; i++) {
      batch.add(MAIL, job("" + i));
    }
    BatchId id = begin(harness, batch);
    BatchId other = begin(harness, Batch.of("other").keepResults().add(OTHER, job("x")));
    Lease of = claim(harness.engine().queue(OTHER));
    of.complete(result(of)).orThrow();
    for (List<Lease> some = claim(mail(harness), 500);
        !some.isEmpty();
        some = claim(mail(harness), 500)) {
      for (Lease lease : some) {
        lease.complete(result(lease)).orThrow();
      }
    }
    assertThat(results(harness, id)).hasSize(count);

    advance(harness, Duration.ofHours(2));
    await("the batch is gone", () -> harness.engine().batches().get(id).isEmpty());

    assertThatThrownBy(() -> results(harness, id)).isInstanceOf(NoSuchBatchException.class);
    assertThat(results(harness, other)).containsExactly("result of x");
    assertClean(harness);
    harness.crash();
    assertClean(harness);
  }

  @Test
  void results_ofABatchThatKeepsNone_areNone() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = begin(harness, Batch.of("b").add(MAIL, job("a")));
    Lease lease = claim(mail(harness));
    lease.complete(result(lease)).orThrow();

    assertThat(results(harness, id)).isEmpty();
    assertThatThrownBy(() -> results(harness, new BatchId(1_000)))
        .isInstanceOf(NoSuchBatchException.class);
  }
}
