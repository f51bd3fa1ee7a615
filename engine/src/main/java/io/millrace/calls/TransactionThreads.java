package io.millrace.calls;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads on which functions of transactions run. A call that they make to the queues
 * themselves, and not to their transaction, is refused: changes would be made each time that the
 * function is called, also if nothing ever commits, and rows of tables might be others by then.
 * Looks at jobs and queues, for which a transaction has no calls, are let through.
 *
 * <p>Any thread; one that runs no function pays for a look into a table that is nearly empty.
 */
public class TransactionThreads {

  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  /** Runs a function of a transaction on this thread. */
  public <R extends @Nullable Object> R during(Supplier<R> function) {
    Thread thread = Thread.currentThread();
    threads.add(thread);
    try {
      return function.get();
    } finally {
      threads.remove(thread);
    }
  }

  /** Refuses a call that a function makes, and in place of which transactions have none. */
  public void check() {
    if (isInside()) {
      throw refusal();
    }
  }

  /**
   * Refuses a call that a function makes; this call of the transaction is to be used in place of
   * it.
   */
  public void check(String call) {
    if (isInside()) {
      throw refusal(call);
    }
  }

  /** Tells whether this thread runs a function. */
  protected boolean isInside() {
    return threads.contains(Thread.currentThread());
  }

  protected static IllegalStateException refusal(String call) {
    return refused("use " + call + " of the transaction that the function was given");
  }

  protected static IllegalStateException refusal() {
    return refused("a transaction has no call for it, make it before transact, or after");
  }

  private static IllegalStateException refused(String advice) {
    return new IllegalStateException(
        "call inside the function of a transaction, which may be called several times; nothing of"
            + " it happened: "
            + advice);
  }
}
