package io.millrace.model.fault;

import io.millrace.api.Codec;
import io.millrace.api.JobType;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.test.TestEngine;
import io.millrace.test.TestEngine.CommitFate;
import io.millrace.worker.RetryLog;

/** A process whose test has happen to its engine what would be an error otherwise. */
final class StagedLife {

  private static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT);

  private StagedLife() {}

  public static void main(String[] args) {
    try (TestEngine engine = TestEngine.create()) {
      engine
          .worker()
          .handle(
              MAIL,
              (what, job) -> {
                if (job.attempt() == 1 && what.equals("crash")) {
                  engine.crash();
                } else if (job.attempt() == 1) {
                  engine.failNextCommit(CommitFate.valueOf(what));
                }
              })
          .retryLog(RetryLog.OFF)
          .start();
      engine.crash();
      for (String what : new String[] {"crash", "LOST", "KEPT"}) {
        engine.enqueue(MAIL, what);
        engine.run();
        engine.assertJobs(MAIL).hasSize(0);
      }
      failEnqueue(engine);
    }
    System.out.println("done");
  }

  private static void failEnqueue(TestEngine engine) {
    engine.failNextCommit();
    try {
      engine.enqueue(MAIL, "lost");
      throw new AssertionError("the commit succeeded");
    } catch (OutcomeUnknownException e) {
      engine.assertJobs(MAIL).hasSize(0);
    }
  }
}
