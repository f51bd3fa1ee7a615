package io.millrace.model.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.JobId;
import io.millrace.model.crash.Chains;
import io.millrace.model.crash.Transfers;
import io.millrace.spi.testkit.fault.Trials;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Money moves between accounts, a job a transfer, and jobs from queue to queue, on a store that
 * fails and loses power as a seed says: no money is lost or made, each transfer is applied once,
 * and each chain of jobs goes on where it was.
 */
class TransferCrashModelTest extends FaultyCalls {

  private static final int SEED_COUNT = Trials.count("transferSeeds", 12, 100, 2_000);
  private static final Duration LEASE_OVER = Duration.ofSeconds(31);

  private final Set<String> acknowledged = new HashSet<>();
  private final Set<String> links = new HashSet<>();

  @Test
  void transfers_storeFailsAndPowerGoes_moneyIsNeitherLostNorMade() {
    run(SEED_COUNT);
  }

  @Override
  void begin() {
    acknowledged.clear();
    links.clear();
  }

  @Override
  void call(int number) {
    switch (random.nextInt(20)) {
      case 0, 1, 2, 3, 4, 5, 6 -> transfers().issue(random);
      case 7 -> stop();
      case 8 -> harness.clock().advanceMs(LEASE_OVER.toMillis());
      case 9, 10, 11, 12 -> chains().goOnOrBegin("linker").ifPresent(links::add);
      default -> transfers().applyNext("worker").ifPresent(this::note);
    }
  }

  private Transfers transfers() {
    return new Transfers(harness.engine());
  }

  private Chains chains() {
    return new Chains(harness.engine());
  }

  private void note(JobId applied) {
    acknowledged.add(applied.toString());
  }

  @Override
  void failed() {
    withoutFaults(this::restarted);
  }

  @Override
  void restarted() {
    // A lease that ran out between two listings would move its job from one not yet read to one
    // that was.
    harness.awaitNothingDue();
    assertThat(transfers().flaws(acknowledged)).isEmpty();
    assertThat(chains().flaws(links)).isEmpty();
  }

  @Override
  void serveAll() {
    pass(LEASE_OVER);
    Optional<JobId> applied = transfers().applyNext("last");
    while (applied.isPresent() || chains().goOn("last").isPresent()) {
      applied.ifPresent(this::note);
      applied = transfers().applyNext("last");
    }
    restarted();
  }
}
