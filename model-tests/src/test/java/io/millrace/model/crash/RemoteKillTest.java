package io.millrace.model.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.engine.JobEngine;
import io.millrace.model.crash.RemoteRig.Fault;
import io.millrace.server.Server;
import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kills servers and clients, and breaks the network between them, under load. */
@Timeout(value = 1, unit = TimeUnit.HOURS)
@Tag("slow")
class RemoteKillTest {

  @TempDir Path folder;

  @Test
  void faults_ofServerClientsAndNetwork_loseNoJobAndDoubleNone() throws Exception {
    long seed = Trials.seed();
    Random random = new Random(seed);
    int countOfEach = Trials.count("remote.faults", 1, 3, 20);
    int breakMsMax = Trials.count("remote.break.ms", 500, 2_000, 20_000);
    int pauseMsMax = Trials.count("remote.pause.ms", 1_000, 1_000, 3_000);
    // Longer than it takes to start a server, or nothing is seen of the leases that it honours.
    int leaseMs = Trials.count("remote.lease.ms", 2_000, 3_000, 8_000);
    List<Fault> faults = new ArrayList<>();
    for (Fault fault : Fault.values()) {
      faults.addAll(Collections.nCopies(countOfEach, fault));
    }
    Collections.shuffle(faults, random);
    try (RemoteRig rig = new RemoteRig(folder, random, breakMsMax, leaseMs)) {
      for (Fault fault : faults) {
        RemoteRig.pause(pauseMsMax / 3 + random.nextInt(pauseMsMax * 2 / 3));
        rig.strike(fault);
      }

      Findings findings = rig.end();

      Trials.report(
          getClass(),
          "%d of each of %s, network %s, seed %d: %s"
              .formatted(
                  countOfEach, List.of(Fault.values()), rig.breaks(), seed, findings.summary()));
      if (!findings.messages().isEmpty()) {
        Series.keepJournal("remote", rig.text());
      }
      assertThat(findings.messages()).isEmpty();
    } catch (AssertionError | Exception e) {
      // In one line: summaries of a run show the first alone.
      throw new AssertionError("seed " + seed + ": " + e.toString().replaceAll("\\s+", " "), e);
    }
  }

  @Test
  @Tag("thorough")
  void client_isKilledWithALease_losesItByTime() throws Exception {
    try (Held held = new Held(Duration.ofSeconds(2))) {
      held.holder.kill();

      assertThat(held.nextAttempt()).isEqualTo(2);

      assertThat(Journal.nowUs() - held.askedUs).isGreaterThanOrEqualTo(2_000_000);
    }
  }

  @Test
  @Tag("thorough")
  void client_exitsWithALease_losesItAtOnce() throws Exception {
    try (Held held = new Held(Duration.ofHours(1))) {
      assertThat(held.holder.stop()).isZero();

      assertThat(held.nextAttempt()).as("the first was given back").isEqualTo(1);
    }
  }

  /** A job that a process holds. */
  private static final class Held implements AutoCloseable {
    final JobEngine engine = JobEngine.open("memory:" + UUID.randomUUID());
    final Server server = Server.on(engine).listen("127.0.0.1:0");
    final Victim holder;
    final long askedUs;

    Held(Duration lease) throws IOException {
      engine.queue(RemoteHolder.QUEUE).enqueue(new byte[1]);
      holder = RemoteHolder.start(server.port(), lease);
      askedUs = Long.parseLong(holder.answer());
    }

    /** Waits until the job is served again. */
    int nextAttempt() {
      ClaimOptions options = ClaimOptions.by("next").waiting(Duration.ofMinutes(1));
      return engine.queue(RemoteHolder.QUEUE).claim(options).get(0).attempt();
    }

    @Override
    public void close() {
      holder.close();
      server.close();
      engine.close();
    }
  }
}
