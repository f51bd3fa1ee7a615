package io.millrace.internal.state;

/**
 * What the start of a job took of rate limits: until when, in steady time, each token is owed. What
 * is handed back by then comes back as far as it is still owed, and nothing of it later: by then
 * the bucket is as full as if it had never been taken.
 *
 * @param ofQueueMs of the queue's limit; {@link #NONE} if it took none
 * @param ofKeyMs of the limit of its concurrency key
 */
record TakenTokens(long ofQueueMs, long ofKeyMs) {

  static final long NONE = Long.MIN_VALUE;
}
