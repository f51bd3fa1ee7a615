package io.millrace.internal.transition;

import io.millrace.internal.state.ClaimSpec;
import io.millrace.internal.state.QueueState;
import org.jspecify.annotations.Nullable;

/**
 * A transition whose request waits while there is nothing for it. It is applied anew whenever there
 * may be something, until its time is over.
 *
 * <p>It is a class and no interface, for every request is asked whether it is one: so that takes
 * one comparison.
 *
 * @param <R> the type of the answer
 */
public abstract class Waiting<R> implements Transition<R> {

  /** The finding of an attempt, which decides whether the request waits on. */
  public enum Finding {
    /** Something: the request is answered. */
    SOMETHING,
    /** Nothing, and there never will be: the request is answered. */
    NOTHING_EVER,
    /** Nothing yet: the request waits if its caller lets it. */
    NOTHING_YET,
    /** Nothing yet, and not all was looked at: the next attempt is made with the next batch. */
    UNFINISHED
  }

  /** Tells what the attempt with this answer has found. */
  public abstract Finding finding(R answer);

  /** Returns the answer of a request whose time is over. */
  public abstract R nothing();

  /** Returns what the request waits for. */
  public abstract ClaimSpec spec();

  /** Prepares for another attempt, since the queue was woken; null stands for any. */
  public abstract void lookAgain(@Nullable QueueState queue);
}
