package io.millrace.internal.commit;

/** What is put into the ring: a {@link Request}, or a {@link LoopAction} of the loop itself. */
abstract class RingEntry {

  /** What was counted of it when it was put into the ring; for the ring. */
  long countedBytes;

  /** About how many bytes it keeps alive while it waits. */
  abstract long bytes();

  /** Ends it without having done anything. */
  abstract void refuse(RuntimeException why, AnswerThread answerThread);

  /** Wakes the thread that sleeps until it is answered; answers whether there was one. */
  boolean wake() {
    return false;
  }
}
