package io.millrace.management;

/** One reason why a job is not running. */
public interface ReasonSnapshot {

  /** What kind of reason, as {@code Explanation.Reason} has them: {@code Paused}. */
  String getKind();

  /** For people, in one line, what there is to say of the job. */
  String getSentence();
}
