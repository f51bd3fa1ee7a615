package io.millrace.internal.commit;

/** What callers put into the ring: a {@link Request}, or a {@link Control} of the loop itself. */
abstract sealed class Submission permits Request, Control {

  /** About how many bytes it keeps alive while it waits. */
  abstract long bytes();

  /** Ends it without having done anything. */
  abstract void refuse(RuntimeException why, AnswerThread answerThread);
}
