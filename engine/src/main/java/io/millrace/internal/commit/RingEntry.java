package io.millrace.internal.commit;

/** An entry of the ring: a {@link Request}, or a {@link LoopAction} of the loop itself. */
abstract class RingEntry {

  /** The bytes that the ring counted for this entry; only for the ring. */
  long countedBytes;

  /** Returns about how many bytes the entry keeps alive while it waits. */
  abstract long bytes();

  /** Ends the entry without having done anything. */
  abstract void refuse(RuntimeException why, AnswerThread answerThread);

  /** Wakes the thread that sleeps until the entry is answered; returns whether there was one. */
  boolean wake() {
    return false;
  }
}
