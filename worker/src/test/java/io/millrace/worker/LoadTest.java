package io.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Lease;
import io.millrace.worker.JobRunEnd.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The claims of a worker that has as much as it can take, and of one that has not. */
class LoadTest extends WorkerRig {

  @ParameterizedTest
  @CsvSource({"1, 64", "20, 80", "1025, 4096"})
  void claims_asManyEndsUnderWayAsMayBe_noneUntilOneIsStored(int concurrency, int endsMost) {
    WorkerSetup setup = Worker.on(queues).handle(MAIL, (text, job) -> {}).concurrency(concurrency);
    RunningWorker worker = new RunningWorker(setup); // which does not begin
    Load load = new Load(Source.of(setup.handlers), concurrency, OptionalInt.empty());
    queues.enqueue(MAIL, "m");
    List<Lease> lease = queues.queue("mail").claim(ClaimOptions.by("w"));
    List<JobRun> runs = new ArrayList<>();

    List<Source.Claim> claims = load.claims().made();
    while (!claims.isEmpty() && runs.size() <= endsMost) {
      JobRun run = new JobRun(worker, lease.get(0), setup.handlers.of("mail"));
      load.taken(claims.get(0), lease, leased -> run);
      load.ended(run);
      runs.add(run);
      claims = load.claims().made();
    }

    assertThat(runs.size()).isEqualTo(endsMost);
    assertThat(load.settled(runs.get(0), Outcome.COMPLETED)).isTrue();
    assertThat(load.claims().made()).hasSize(1);
    assertThat(load.settled(runs.get(1), Outcome.COMPLETED)).isFalse();
  }
}
