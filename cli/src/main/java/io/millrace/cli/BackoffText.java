package io.millrace.cli;

import io.millrace.api.Backoff;
import io.millrace.cli.text.Amounts;
import java.util.Locale;
import java.util.stream.Collectors;

/** A backoff in words. */
final class BackoffText {

  private BackoffText() {}

  static String of(Backoff backoff) {
    return waits(backoff) + spread(backoff.jitter());
  }

  private static String waits(Backoff backoff) {
    if (backoff instanceof Backoff.Exponential exponential) {
      return String.format(
          Locale.ROOT,
          "%s, then times %s, at most %s",
          Amounts.duration(exponential.initial()),
          exponential.multiplier(),
          Amounts.duration(exponential.max()));
    }
    if (backoff instanceof Backoff.Linear linear) {
      return linear.step().isZero()
          ? Amounts.duration(linear.initial())
          : "%s, then %s more each time, at most %s"
              .formatted(
                  Amounts.duration(linear.initial()),
                  Amounts.duration(linear.step()),
                  Amounts.duration(linear.max()));
    }
    return ((Backoff.Custom) backoff)
        .delays().stream().map(Amounts::duration).collect(Collectors.joining(", "));
  }

  private static String spread(double jitter) {
    return jitter == 0 ? "" : ", give or take %d %%".formatted(Math.round(jitter * 100));
  }
}
