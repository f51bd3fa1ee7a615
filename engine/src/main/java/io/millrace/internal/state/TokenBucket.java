package io.millrace.internal.state;

import io.millrace.api.RateLimit;

/**
 * The tokens of one rate limit, as a debt: what has been taken and has not come back yet.
 *
 * <p>All is counted in whole parts of tokens, so that nothing is rounded and nothing drifts: with a
 * limit of <i>n</i> per <i>p</i> milliseconds a token has <i>p</i> parts, a start adds <i>p</i> to
 * the debt, each millisecond takes <i>n</i> off it, and there is a token as long as the debt with
 * one start more is at most <i>burst × p</i>. At the extremes that is 6 × 10<sup>14</sup>, far from
 * any overflow. With no debt the bucket is full, and need not be kept.
 *
 * <p>What was taken can be given back at any later time, and the bucket is as if it had never been
 * taken.
 */
final class TokenBucket {

  private RateLimit limit;
  private long perMs;
  private long debt;
  private long atMs;

  /** A full bucket. */
  TokenBucket(RateLimit limit, long nowMs) {
    this.limit = limit;
    this.perMs = limit.per().toMillis();
    this.atMs = nowMs;
  }

  /** All there is to a bucket at a time. */
  record Level(RateLimit limit, long debt, long atMs) {}

  Level level() {
    return new Level(limit, debt, atMs);
  }

  /** Is again what it was. */
  void setLevel(Level value) {
    limit = value.limit;
    perMs = value.limit.per().toMillis();
    debt = value.debt;
    atMs = value.atMs;
  }

  RateLimit limit() {
    return limit;
  }

  /** Time goes on; if it has gone back, nothing comes for that. */
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

  /** What of the debt must go until there is a token. */
  private long excess() {
    return debt - (limit.burst() - 1) * perMs;
  }

  /** When there is a token if nobody takes one until then: now, if there is one. */
  long nextTokenMs(long nowMs) {
    advance(nowMs);
    return excess() <= 0 ? nowMs : nowMs + ceilDiv(excess(), limit.count());
  }

  /**
   * When there is a token for a start by another limit, for which what is owed counts by the time
   * that it takes: as if it had been taken by that limit at the same rate of use. The limit stays.
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

  /** Takes a token for a start by this limit, which holds from now on. */
  long take(RateLimit own, long nowMs) {
    if (!own.equals(limit)) {
      advance(nowMs);
      debt = parts(debt, limit, own);
      limit = own;
      perMs = own.per().toMillis();
    }
    return take(nowMs);
  }

  /** Parts of one limit as those that take as long by the other. */
  private static long parts(long parts, RateLimit from, RateLimit to) {
    long wholeMs = parts / from.count();
    return wholeMs * to.count() + ceilDiv(parts % from.count() * to.count(), from.count());
  }

  /** When there would be a token if this limit held by then; nothing changes. */
  long lookMs(RateLimit value, long nowMs) {
    TokenBucket same = copy();
    same.change(value, nowMs);
    return same.nextTokenMs(nowMs);
  }

  /** As {@link #nextTokenMs(RateLimit, long)}; nothing changes, not even by when it is known. */
  long lookOfOtherMs(RateLimit own, long nowMs) {
    return copy().nextTokenMs(own, nowMs);
  }

  private TokenBucket copy() {
    TokenBucket same = new TokenBucket(limit, atMs);
    same.debt = debt;
    return same;
  }

  /** Takes a token, which must be there. Answers until when it is owed. */
  long take(long nowMs) {
    assert hasToken(nowMs) : "no token: " + level();
    advance(nowMs);
    debt += perMs;
    return nowMs + debt / limit.count();
  }

  /**
   * A token that was taken comes back, as far as it is still owed: what was taken behind it counts
   * as if it had never been. Answers how many parts of it came back.
   */
  long giveBack(long owedUntilMs, long nowMs) {
    return giveBackParts(perMs, owedUntilMs, nowMs);
  }

  /** As the other, of a start by this limit, whichever holds by now. */
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

  /** Parts that came back, by the limit that held then, did not. */
  void owe(long parts, RateLimit by) {
    debt += parts(parts, by, limit);
  }

  /**
   * From now on another limit holds. As many tokens are owed as before, though no more than the new
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
