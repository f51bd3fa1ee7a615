package io.millrace.model.damage;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.Lease;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.engine.JobEngine;
import io.millrace.internal.format.Keyspace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;

/** What the tests of golden stores share. */
abstract class GoldenTest {

  @TempDir Path folder;

  /** Where the golden store is unpacked. */
  final Path store() {
    return folder.resolve("store");
  }

  final GoldenReading reading(GoldenStore golden) throws IOException {
    return new GoldenReading(golden.unpack(store()));
  }

  /** Names of the jobs that can be claimed now, all of which are completed. */
  static List<String> completeAll(JobEngine engine, List<QueueName> queues) {
    List<String> names = new ArrayList<>();
    for (QueueName queue : queues) {
      for (Lease lease : engine.queue(queue).claim(ClaimOptions.by("today").max(100))) {
        names.add(Labels.name(lease.payload()));
        assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
      }
    }
    return names;
  }

  /** The one job whose payload has the name. */
  static Job job(JobEngine engine, String name) {
    return engine.list(JobFilter.ALL, PageRequest.first(100)).items().stream()
        .map(job -> engine.get(job.id()).orElseThrow())
        .filter(job -> Labels.name(job.payload()).equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** A lease on the job of the name, whatever else is served with it. */
  static Lease claimed(JobEngine engine, QueueName queue, String name) {
    List<Lease> leases = engine.queue(queue).claim(ClaimOptions.by("today").max(100));
    Lease wanted =
        leases.stream()
            .filter(lease -> Labels.name(lease.payload()).equals(name))
            .findFirst()
            .orElseThrow();
    leases.stream().filter(lease -> lease != wanted).forEach(lease -> lease.release().orThrow());
    return wanted;
  }

  /** The lease that the older version gave, or another if that was handed back. */
  static Lease lease(JobEngine engine, String name, boolean isHeld) {
    Job job = job(engine, name);
    assertThat(job.lease().isPresent()).as("is " + name + " leased").isEqualTo(isHeld);
    return job.lease()
        .map(held -> engine.lease(job.id(), held.token()))
        .orElseGet(() -> claimed(engine, job.queue(), name));
  }

  /** No row is left but those of some keyspaces. */
  static void assertNothingLeftBut(Set<Keyspace> left, GoldenReading reading) {
    for (Keyspace keyspace : Keyspace.values()) {
      if (!left.contains(keyspace)) {
        assertThat(reading.rows(keyspace).values()).as("rows of %s", keyspace).isEmpty();
      }
    }
  }
}
