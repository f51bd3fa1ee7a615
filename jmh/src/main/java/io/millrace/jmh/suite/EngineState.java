package io.millrace.jmh.suite;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Durability;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.engine.JobEngine;
import io.millrace.jmh.load.RunFolder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** An engine on a store of its own, one for all threads of a benchmark. */
@State(Scope.Benchmark)
@NullUnmarked // JMH sets the fields, in Setup.
public class EngineState {

  private static final Duration LEASE = Duration.ofMinutes(10);

  @Param({"lmdb"})
  public String store;

  @Param({"SYNCED", "BUFFERED"})
  public Durability durability;

  @Param({"64", "256", "4096", "65536"})
  public int payloadBytes;

  @Param({"1", "100"})
  public int batch;

  /** Where the store is written and removed again. */
  @Param({"millrace-bench"})
  public String dir;

  JobEngine engine;
  JobQueue queue;
  byte[] payload;
  private RunFolder folder;

  @Setup(Level.Trial)
  public void open() {
    folder = RunFolder.create(Path.of(dir));
    engine =
        JobEngine.open(
            store + ":" + folder.path().resolve("store"),
            EngineOptions.DEFAULT.durability(durability));
    queue = engine.queue("load");
    payload = new byte[payloadBytes];
    new Random(1).nextBytes(payload);
  }

  @TearDown(Level.Trial)
  public void close() {
    engine.close();
    folder.close();
  }

  ClaimOptions claimOptions() {
    return ClaimOptions.by("jmh").leaseDuration(LEASE);
  }

  /** Enqueues one batch in one call. */
  Object enqueue() {
    return batch == 1
        ? queue.enqueue(payload)
        : queue.enqueueAll(jobs(batch, EnqueueOptions.DEFAULT));
  }

  /** Claims and completes one batch, and answers what the completion said. */
  Object claimAndComplete() {
    List<Lease> leases = queue.claim(claimOptions().max(batch).waiting(Duration.ofSeconds(10)));
    return leases.size() == 1 ? leases.get(0).complete() : engine.completeAll(leases);
  }

  List<NewJob> jobs(int count, EnqueueOptions options) {
    List<NewJob> jobs = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      jobs.add(new NewJob(payload, options));
    }
    return jobs;
  }

  /** Puts jobs into a queue, a thousand in a call. */
  void fill(JobQueue into, int count, EnqueueOptions options) {
    int step = Math.max(1, Math.min(1_000, (16 << 20) / payloadBytes));
    for (int left = count; left > 0; left -= step) {
      into.enqueueAll(jobs(Math.min(left, step), options));
    }
  }

  /** Completes all that is ready. */
  static void drain(JobEngine engine, JobQueue queue) {
    ClaimOptions many = ClaimOptions.by("jmh").leaseDuration(LEASE).max(1_000);
    for (List<Lease> leases = queue.claim(many); !leases.isEmpty(); leases = queue.claim(many)) {
      engine.completeAll(leases);
    }
  }
}
