package io.millrace.internal.transition;

import static io.millrace.internal.transition.TransitionRig.START_MS;
import static io.millrace.internal.transition.TransitionRig.ref;
import static io.millrace.internal.transition.TransitionRig.refs;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.CompleteResult;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobState;
import io.millrace.api.QueueSettings;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.transition.lease.Complete;
import io.millrace.internal.transition.lease.Fail;
import io.millrace.internal.transition.lease.Grant;
import io.millrace.internal.transition.lease.NamedLease;
import io.millrace.internal.transition.lease.Release;
import io.millrace.spi.ReadView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class CompleteTest {

  private final TransitionRig rig = new TransitionRig();

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void plainJob_completedAtItsFirstAttempt_costsTwoPutsAndTwoDeletes() {
    rig.enqueue(EnqueueOptions.DEFAULT);
    assertThat(rig.lastOperations()).containsExactly("put READY");
    Grant grant = rig.claim();
    assertThat(rig.lastOperations()).containsExactly("put LEASE");

    List<CompleteResult> results = rig.apply(new Complete(refs(grant)));

    assertThat(results).containsExactly(CompleteResult.COMPLETED);
    assertThat(rig.lastOperations()).containsExactlyInAnyOrder("delete LEASE", "delete READY");
  }

  @Test
  void apply_afterFailedAttempts_deletesTheirHistory() {
    rig.enqueue(EnqueueOptions.DEFAULT.maxAttempts(50));
    for (int i = 0; i < 20; i++) {
      rig.apply(new Fail(refs(rig.claim()), "x", FailOptions.RETRY.delay(Duration.ZERO)));
    }
    assertThat(rig.rowCount(Keyspace.HISTORY)).isEqualTo(16);

    rig.apply(new Complete(refs(rig.claim())));

    assertThat(rig.rowCount(Keyspace.HISTORY)).isZero();
    assertThat(rig.rowCount(Keyspace.MOVED)).isZero();
  }

  @Test
  void apply_resultsOfMany_areKeptWithTheirOwnJobs() {
    rig.configure(QueueSettings.DEFAULT.resultRetention(Duration.ofSeconds(5)));
    NamedLease with = lease();
    NamedLease without = lease();
    NamedLease stale = lease();
    rig.apply(new Release(List.of(stale)));

    List<CompleteResult> results =
        rig.apply(
            new Complete(List.of(without, stale, with), Map.of(with, "result".getBytes(UTF_8))));

    assertThat(results)
        .containsExactly(
            CompleteResult.COMPLETED, CompleteResult.STALE_LEASE, CompleteResult.COMPLETED);
    List<JobRecord> done = done();
    assertThat(done.get(0).result()).isEqualTo("result".getBytes(UTF_8));
    assertThat(done.get(1).result()).isNull();
    assertThat(done).extracting(JobRecord::expireAtMs).containsOnly(START_MS + 5_000);
    assertThat(rig.rowCount(Keyspace.TIMER)).isEqualTo(2);
    assertThat(rig.count(JobState.DONE)).isEqualTo(2);
  }

  private NamedLease lease() {
    rig.enqueue(EnqueueOptions.DEFAULT);
    return ref(rig.claim());
  }

  private List<JobRecord> done() {
    try (ReadView view = rig.store.read()) {
      return rig.keys(Keyspace.DONE).stream()
          .map(key -> JobRecord.decode(key, view.get(key)))
          .toList();
    }
  }
}
