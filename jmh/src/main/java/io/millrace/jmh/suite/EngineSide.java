package io.millrace.jmh.suite;

import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.engine.JobEngine;
import io.millrace.jmh.suite.SideState.Operation;
import io.millrace.spi.StoreFactory;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/** The engine, by blocking calls. */
final class EngineSide implements Side {

  private static final Duration LEASE = Duration.ofMinutes(10);
  private static final Duration CLAIM_WAIT = Duration.ofSeconds(10);
  private static final int EMPTY_JOB_COUNT = 1_000;

  private final JobEngine engine;
  private final JobQueue queue;
  private final Operation operation;
  private final byte[] payload;
  private final List<NewJob> jobs;
  private final ClaimOptions claim;

  EngineSide(SideState load, StoreFactory factory) {
    engine = load.open(factory, "engine");
    queue = engine.queue("load");
    operation = load.operation();
    payload = load.payload;
    jobs = Collections.nCopies(load.batch, NewJob.of(load.payload));
    claim = ClaimOptions.by("jmh").leaseDuration(LEASE).max(load.batch).waiting(CLAIM_WAIT);
  }

  @Override
  public Object operate() {
    Object enqueued = jobs.size() == 1 ? queue.enqueue(payload) : queue.enqueueAll(jobs);
    return operation == Operation.ENQUEUE ? enqueued : claimAndComplete();
  }

  private Object claimAndComplete() {
    List<Lease> leases = queue.claim(claim);
    return leases.size() == 1 ? leases.get(0).complete() : engine.completeAll(leases);
  }

  @Override
  public void empty() {
    ClaimOptions many = ClaimOptions.by("jmh").leaseDuration(LEASE).max(EMPTY_JOB_COUNT);
    for (List<Lease> leases = queue.claim(many); !leases.isEmpty(); leases = queue.claim(many)) {
      engine.completeAll(leases).forEach(CompleteResult::orThrow);
    }
  }

  @Override
  public void close() {
    engine.close();
  }
}
