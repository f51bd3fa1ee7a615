package io.millrace.internal.transition;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.CompleteResult;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobState;
import io.millrace.api.QueueSettings;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.spi.ReadView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class CompleteTest {

  private final Bench bench = new Bench();

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void plainJob_completedAtItsFirstAttempt_costsTwoPutsAndTwoDeletes() {
    bench.enqueue(EnqueueOptions.DEFAULT);
    assertThat(bench.lastOperations()).containsExactly("put READY");
    Grant grant = bench.claim();
    assertThat(bench.lastOperations()).containsExactly("put LEASE");

    List<CompleteResult> results = bench.apply(new Complete(List.of(bench.ref(grant))));

    assertThat(results).containsExactly(CompleteResult.COMPLETED);
    assertThat(bench.lastOperations()).containsExactlyInAnyOrder("delete LEASE", "delete READY");
  }

  @Test
  void apply_afterFailedAttempts_deletesTheirHistory() {
    bench.enqueue(EnqueueOptions.DEFAULT.maxAttempts(50));
    for (int i = 0; i < 20; i++) {
      bench.apply(
          new Fail(List.of(bench.ref(bench.claim())), "x", FailOptions.retryAfter(Duration.ZERO)));
    }
    assertThat(bench.rows(Keyspace.HISTORY)).isEqualTo(16);

    bench.apply(new Complete(List.of(bench.ref(bench.claim()))));

    assertThat(bench.rows(Keyspace.HISTORY)).isZero();
    assertThat(bench.rows(Keyspace.MOVED)).isZero();
  }

  @Test
  void apply_resultsOfMany_areKeptWithTheirOwnJobs() {
    bench.configure(QueueSettings.DEFAULT.withResultRetention(Duration.ofSeconds(5)));
    LeaseRef with = lease();
    LeaseRef without = lease();
    LeaseRef stale = lease();
    bench.apply(new Release(List.of(stale)));

    List<CompleteResult> results =
        bench.apply(
            new Complete(List.of(without, stale, with), Map.of(with, "result".getBytes(UTF_8))));

    assertThat(results)
        .containsExactly(
            CompleteResult.COMPLETED, CompleteResult.STALE_LEASE, CompleteResult.COMPLETED);
    List<JobRecord> done = done();
    assertThat(done.get(0).result()).isEqualTo("result".getBytes(UTF_8));
    assertThat(done.get(1).result()).isNull();
    assertThat(done).extracting(JobRecord::expireAtMs).containsOnly(Bench.START_MS + 5_000);
    assertThat(bench.rows(Keyspace.TIMER)).isEqualTo(2);
    assertThat(bench.count(JobState.DONE)).isEqualTo(2);
  }

  private LeaseRef lease() {
    bench.enqueue(EnqueueOptions.DEFAULT);
    return bench.ref(bench.claim());
  }

  private List<JobRecord> done() {
    try (ReadView view = bench.store.read()) {
      return bench.keys(Keyspace.DONE).stream()
          .map(key -> JobRecord.decode(key, view.get(key)))
          .toList();
    }
  }
}
