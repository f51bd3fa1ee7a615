package io.millrace.internal.state;

import io.millrace.api.RateLimit;
import org.jspecify.annotations.Nullable;

/**
 * The tokens that the start of a job took of rate limits.
 *
 * @param ofQueue the token of the queue's limit; null if it took none
 * @param ofKey the token of its concurrency key's limit; null if it took none
 * @param ofEngine the token of the limit over all queues; null if it took none
 */
record TakenTokens(@Nullable Token ofQueue, @Nullable Token ofKey, @Nullable Token ofEngine) {

  /**
   * A token that is owed until a time. If it is handed back by then, as much of it comes back as is
   * still owed. Later nothing does: by then the bucket is as full as if the token had never been
   * taken. Nor does anything come back to a bucket that was made since, which is that of a limit
   * that was set anew.
   *
   * @param limit the limit by which it was taken, where starts by several limits share a bucket;
   *     null for whatever the bucket's is
   * @param owedUntilMs until when it is owed, in steady time
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

  /** Gives back all that is still owed, and returns the action that undoes that. */
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
