package io.millrace.test.worker;

import io.millrace.api.Codec;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.spi.testkit.rig.Reach;
import io.millrace.test.TestEngine;
import io.millrace.worker.JobContext;
import io.millrace.worker.JobRunEnd;
import io.millrace.worker.WorkerListener;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** An engine in virtual time, and what its workers say. */
abstract class WorkerRig {

  static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT);
  static final JobType<String> REPORT = JobType.of("report", Codec.TEXT);

  final TestEngine engine = Reach.to(TestEngine.create(), TestEngine.class);

  /** What handlers say of themselves. */
  final List<String> said = new ArrayList<>();

  final Told told = new Told();

  @AfterEach
  void closeEngine() {
    engine.close();
  }

  Job job(JobId id) {
    return engine.get(id).orElseThrow();
  }

  /** The first line of its last error: what the exception says, without where it was thrown. */
  String error(JobId id) {
    return job(id).lastError().orElseThrow().lines().findFirst().orElseThrow();
  }

  static Instant afterStart(Duration time) {
    return TestEngine.START_DEFAULT.plus(time);
  }

  Duration sinceStart() {
    return Duration.between(TestEngine.START_DEFAULT, engine.now());
  }

  /** A listener that keeps what it is told. */
  static final class Told implements WorkerListener {
    final List<String> ends = new ArrayList<>();
    final List<JobRunEnd> ended = new ArrayList<>();
    final List<JobId> unknown = new ArrayList<>();

    @Override
    public void ended(JobContext job, JobRunEnd end) {
      ended.add(end);
      ends.add(job.type() + " " + end.outcome());
    }

    @Override
    public void unknownType(Lease lease) {
      unknown.add(lease.jobId());
    }
  }
}
