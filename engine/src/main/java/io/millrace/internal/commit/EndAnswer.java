package io.millrace.internal.commit;

import io.millrace.internal.state.JobWait;

/** Somebody who waited for the end of a job is given it. */
final class EndAnswer extends Answer {

  private final JobWait wait;

  EndAnswer(JobWait wait) {
    this.wait = wait;
  }

  @Override
  void give() {
    wait.give();
  }

  @Override
  void failed(Throwable cause) {
    wait.future().completeExceptionally(cause);
  }
}
