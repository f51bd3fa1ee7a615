package io.millrace.internal.state;

import io.millrace.api.RateLimit;

/**
 * The tokens of one rate limit, kept as a debt: the tokens that were taken and have not come back
 * yet.
 *
 * <p>All is counted in whole parts of tokens, so that nothing is rounded and nothing drifts. With a
 * limit of <i>n</i> per <i>p</i> milliseconds a token has <i>p</i> parts, a start adds <i>p</i> to
 * the debt, and each millisecond takes <i>n</i> off it. There is a token as long as the debt with
 * one start more is at most <i>burst × p</i>. At the extremes that is 6 × 10<sup>14</sup>, far from
 * any overflow. With no debt the bucket is full, and need not be kept.
 *
 * <p>A token that was taken can be given back at any later time. Then the bucket is as if it had
 * never been taken.
 */
final class TokenBucket {

  private RateLimit limit;
  private long perMs;
  private long debt;
  private long atMs;

  /** Creates a full bucket. */
  TokenBucket(RateLimit limit, long nowMs) {
    this.limit = limit;
    this.perMs = limit.per().toMillis();
    this.atMs = nowMs;
  }

  /** The whole state of a bucket at a time. */
  record Level(RateLimit limit, long debt, long atMs) {}

  Level level() {
    return new Level(limit, debt, atMs);
  }

  /** Restores an earlier state. */
  void setLevel(Level value) {
    limit = value.limit;
    perMs = value.limit.per().toMillis();
    debt = value.debt;
    atMs = value.atMs;
  }

  RateLimit limit() {
    return limit;
  }

  /** Lets time go on to now. If it has gone back, nothing of the debt goes. */
  private void advance(long nowMs) {
    long passedMs = nowMs - atMs;
    atMs = nowMs;
    if (debt > 0 && passedMs > 0) {
      debt = passedMs >= ceilDiv(debt, limit.count()) ? 0 : debt - passedMs * limit.count();
    }
  }

  private static long ceilDiv(long dividend, long divisor) {
    return (dividend + divisor - 1) / divisor;
  }

  boolean isFull(long nowMs) {
    advance(nowMs);
    return debt == 0;
  }

  boolean hasToken(long nowMs) {
    advance(nowMs);
    return excess() <= 0;
  }

  /** Returns the parts of the debt that must go until there is a token; none if not positive. */
  private long excess() {
    return debt - (limit.burst() - 1) * perMs;
  }

  /** Returns when there is a token if nobody takes one until then: now, if there is one. */
  long nextTokenMs(long nowMs) {
    advance(nowMs);
    return excess() <= 0 ? nowMs : nowMs + ceilDiv(excess(), limit.count());
  }

  /**
   * Returns when there is a token for a start by another limit. For that the debt counts by the
   * time that it takes, as if it had been taken by that limit at the same rate of use. The bucket's
   * limit stays.
   */
  long nextTokenMs(RateLimit own, long nowMs) {
    if (own.equals(limit)) {
      return nextTokenMs(nowMs);
    }
    advance(nowMs);
    long spare = (own.burst() - 1) * own.per().toMillis();
    long owedMs = debt / limit.count();
    long spareMs = spare / own.count();
    // What is left of both, in parts of a millisecond.
    long owedRest = debt % limit.count() * own.count();
    long spareRest = spare % own.count() * limit.count();
    return nowMs + Math.max(0, owedMs - spareMs + (owedRest > spareRest ? 1 : 0));
  }

  /**
   * Takes a token for a start by this limit, which is the bucket's limit from now on, and returns
   * until when it is owed.
   */
  long take(RateLimit own, long nowMs) {
    if (!own.equals(limit)) {
      advance(nowMs);
      debt = parts(debt, limit, own);
      limit = own;
      perMs = own.per().toMillis();
    }
    return take(nowMs);
  }

  /** Converts parts of one limit to parts that take as long by the other. */
  private static long parts(long parts, RateLimit from, RateLimit to) {
    long wholeMs = parts / from.count();
    return wholeMs * to.count() + ceilDiv(parts % from.count() * to.count(), from.count());
  }

  /**
   * Returns when there would be a token if this limit were the bucket's by then. Nothing changes.
   */
  long lookMs(RateLimit value, long nowMs) {
    TokenBucket same = copy();
    same.change(value, nowMs);
    return same.nextTokenMs(nowMs);
  }

  /**
   * Returns the same as {@link #nextTokenMs(RateLimit, long)}. Nothing changes, not even the time
   * up to which the debt is known.
   */
  long lookOfOtherMs(RateLimit own, long nowMs) {
    return copy().nextTokenMs(own, nowMs);
  }

  private TokenBucket copy() {
    TokenBucket same = new TokenBucket(limit, atMs);
    same.debt = debt;
    return same;
  }

  /** Takes a token, which must be there, and returns until when it is owed. */
  long take(long nowMs) {
    assert hasToken(nowMs) : "no token: " + level();
    advance(nowMs);
    debt += perMs;
    return nowMs + debt / limit.count();
  }

  /**
   * Gives back a token that was taken, as far as it is still owed: tokens that were taken after it
   * count as if it had never been taken. Returns how many of its parts came back.
   */
  long giveBack(long owedUntilMs, long nowMs) {
    return giveBackParts(perMs, owedUntilMs, nowMs);
  }

  /**
   * Gives back a token of a start by this limit, whichever the bucket's is by now; see {@link
   * #giveBack(long, long)}.
   */
  long giveBack(RateLimit own, long owedUntilMs, long nowMs) {
    return giveBackParts(parts(own.per().toMillis(), own, limit), owedUntilMs, nowMs);
  }

  private long giveBackParts(long taken, long owedUntilMs, long nowMs) {
    advance(nowMs);
    long owedMs = Math.max(0, owedUntilMs - nowMs);
    long owed = owedMs > taken / limit.count() ? taken : owedMs * limit.count();
    long parts = Math.min(debt, owed);
    debt -= parts;
    return parts;
  }

  /**
   * Adds parts to the debt that came back and did not after all, by the limit that was the bucket's
   * then.
   */
  void owe(long parts, RateLimit by) {
    debt += parts(parts, by, limit);
  }

  /**
   * Changes the bucket's limit. As many tokens are owed as before, though no more than the new
   * bucket holds: a lower limit is not to be waited for as long as the higher one took on credit.
   */
  void change(RateLimit value, long nowMs) {
    advance(nowMs);
    long newPerMs = value.per().toMillis();
    long tokens = debt / perMs;
    long rest = debt % perMs;
    limit = value;
    debt =
        tokens >= value.burst()
            ? value.burst() * newPerMs
            : Math.min(
                value.burst() * newPerMs, tokens * newPerMs + ceilDiv(rest * newPerMs, perMs));
    perMs = newPerMs;
  }
}
