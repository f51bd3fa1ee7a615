package io.millrace.spring.autoconfigure;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.millrace.worker.JobContext;
import io.millrace.worker.JobRunEnd;
import io.millrace.worker.Middleware;
import io.millrace.worker.WorkerListener;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Observes each run of a job as {@value #NAME}, from the call of its handler until its end is
 * committed, for only then is known what became of it. The observation is current in the handler.
 * Its keys of low cardinality are {@code queue}, {@code type} and {@code outcome}; the job's id is
 * of high cardinality.
 */
final class JobObservations implements Middleware, WorkerListener {

  static final String NAME = "millrace.job";

  private final ObservationRegistry registry;

  /** The runs that have begun; held weakly, as one may be told to have ended before it began. */
  private final Map<JobContext, Observation> runs =
      Collections.synchronizedMap(new WeakHashMap<>());

  JobObservations(ObservationRegistry registry) {
    this.registry = registry;
  }

  @Override
  public void started(JobContext job) {
    Observation observation =
        Observation.createNotStarted(NAME, registry)
            .contextualName("process " + job.queue().name())
            .lowCardinalityKeyValue("queue", job.queue().name())
            .lowCardinalityKeyValue("type", job.type())
            .highCardinalityKeyValue("job", job.jobId().toString());
    runs.put(job, observation.start());
  }

  @Override
  public void around(JobContext job, Rest rest) throws Exception {
    @Nullable Observation observation = runs.get(job);
    if (observation == null) {
      rest.proceed();
      return;
    }
    Observation.Scope current = observation.openScope();
    try {
      rest.proceed();
    } finally {
      current.close();
    }
  }

  @Override
  public void ended(JobContext job, JobRunEnd end) {
    @Nullable Observation observation = runs.remove(job);
    if (observation != null) {
      observation.lowCardinalityKeyValue("outcome", end.outcome().name().toLowerCase(Locale.ROOT));
      end.thrown().ifPresent(observation::error);
      observation.stop();
    }
  }
}
