package io.millrace.internal.state;

import io.millrace.api.RateLimit;
import org.jspecify.annotations.Nullable;

/**
 * What the start of a job took of rate limits.
 *
 * @param ofQueue of the queue's limit; null if it took none
 * @param ofKey of the limit of its concurrency key; null if it took none
 * @param ofEngine of the limit over all queues; null if it took none
 */
record TakenTokens(@Nullable Token ofQueue, @Nullable Token ofKey, @Nullable Token ofEngine) {

  /**
   * A token that is owed until a time. What is handed back by then comes back as far as it is still
   * owed, and nothing of it later: by then the bucket is as full as if it had never been taken. Nor
   * does anything come back to a bucket that was made since: that of a limit which was set anew.
   *
   * @param limit by which it was taken, where starts by several limits share a bucket; null for
   *     whatever the bucket's is
   * @param owedUntilMs in steady time
   */
  record Token(TokenBucket bucket, @Nullable RateLimit limit, long owedUntilMs) {

    private Runnable giveBack(long nowMs) {
      long parts =
          limit == null
              ? bucket.giveBack(owedUntilMs, nowMs)
              : bucket.giveBack(limit, owedUntilMs, nowMs);
      RateLimit by = bucket.limit();
      return () -> bucket.owe(parts, by);
    }
  }

  /** All that is still owed comes back. Answers what undoes that. */
  Runnable giveBack(long nowMs) {
    Runnable undoQueue = ofQueue == null ? () -> {} : ofQueue.giveBack(nowMs);
    Runnable undoKey = ofKey == null ? () -> {} : ofKey.giveBack(nowMs);
    Runnable undoEngine = ofEngine == null ? () -> {} : ofEngine.giveBack(nowMs);
    return () -> {
      undoQueue.run();
      undoKey.run();
      undoEngine.run();
    };
  }
}
