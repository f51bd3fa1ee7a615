package io.millrace.internal.commit;

/**
 * A check that the calling thread has enough stack left for a whole call.
 *
 * <p>A stack that runs out while a request is put into the ring would leave a place in the line
 * that is taken and never filled, where the loop waits for ever. One that runs out while the answer
 * is taken would leave a lease that nobody knows of. No code can put that right, for it would have
 * no stack either. So a caller descends this far before it asks for anything: if that is too far,
 * nothing has happened.
 */
final class StackRoom {

  /**
   * The depth of the check. It suffices even if the code that follows is interpreted and this one
   * is compiled.
   */
  private static final int LEVELS = 32;

  private StackRoom() {}

  /**
   * Throws a stack overflow now if the call would cause one later.
   *
   * @throws StackOverflowError there is not enough stack; nothing happened
   */
  static void require() {
    descend(LEVELS, 1, 1, 1);
  }

  /**
   * Descends the given number of levels. The sum needs the numbers of each level, which keeps them
   * on the stack.
   */
  private static long descend(int left, long first, long second, long third) {
    if (left == 0) {
      return first;
    }
    return descend(left - 1, second, third, first + left) + first + second + third;
  }
}
