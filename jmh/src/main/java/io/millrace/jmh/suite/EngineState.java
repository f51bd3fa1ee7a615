package io.millrace.jmh.suite;

import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.NewJob;
import io.millrace.engine.JobEngine;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** An engine on a store of its own, one for all threads of a benchmark. */
@State(Scope.Benchmark)
@NullUnmarked // JMH sets the fields, in Setup.
public class EngineState extends LoadState {

  private static final Duration LEASE = Duration.ofMinutes(10);
  private static final int FILL_JOB_COUNT_MAX = 1_000;
  private static final int FILL_BYTES_MAX = 16 << 20;

  JobEngine engine;
  JobQueue queue;

  @Setup(Level.Trial)
  public void open() {
    begin();
    engine = open(factory(), "store");
    queue = engine.queue("load");
  }

  @TearDown(Level.Trial)
  public void close() {
    engine.close();
    end();
  }

  ClaimOptions claimOptions() {
    return ClaimOptions.by("jmh").leaseDuration(LEASE);
  }

  /** Enqueues the jobs, claims as many, and completes these. */
  List<CompleteResult> cycle(List<NewJob> jobs) {
    queue.enqueueAll(jobs);
    return engine.completeAll(queue.claim(claimOptions().max(jobs.size())));
  }

  /** Puts jobs into the queue, a thousand in a call. */
  void fill(int count, EnqueueOptions options) {
    NewJob job = new NewJob(payload, options);
    int step = Math.max(1, Math.min(FILL_JOB_COUNT_MAX, FILL_BYTES_MAX / payloadBytes));
    for (int left = count; left > 0; left -= step) {
      queue.enqueueAll(Collections.nCopies(Math.min(left, step), job));
    }
  }
}
