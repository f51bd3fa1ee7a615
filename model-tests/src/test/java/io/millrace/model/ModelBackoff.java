package io.millrace.model;

import io.millrace.api.Backoff;
import io.millrace.api.FailOptions;
import java.time.Duration;

/** How long a job waits before its next attempt, without jitter. */
final class ModelBackoff {

  private ModelBackoff() {}

  static long waitMs(Backoff backoff, int attempt) {
    long ms;
    if (backoff instanceof Backoff.Exponential it) {
      ms =
          (long)
              Math.min(
                  it.initial().toMillis() * Math.pow(it.multiplier(), attempt - 1.0),
                  it.max().toMillis());
    } else if (backoff instanceof Backoff.Linear it) {
      ms = it.initial().toMillis() + it.step().toMillis() * (attempt - 1);
    } else {
      Backoff.Custom it = (Backoff.Custom) backoff;
      ms = it.delays().get(Math.min(attempt, it.delays().size()) - 1).toMillis();
    }
    return Math.min(ms, backoff.max().toMillis());
  }

  static long waitMs(Backoff backoff, int attempt, FailOptions options) {
    return options
        .delay()
        .map(Duration::toMillis)
        .map(ms -> Math.min(ms, backoff.max().toMillis()))
        .orElseGet(() -> waitMs(backoff, attempt));
  }
}
