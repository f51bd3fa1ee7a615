package io.millrace.console.access;

import io.millrace.console.http.RefusedException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The wrong tokens of the last minute, by the address that they came from: who guesses locks nobody
 * out who calls from elsewhere. Any thread may use it.
 */
final class FailedLogins {

  private static final int COUNT_MAX = 10;
  private static final int ADDRESS_COUNT_MAX = 1_000;
  private static final long LENGTH_NS = Duration.ofMinutes(1).toNanos();

  private final LongSupplier clockNs;

  /** The wrong tokens of each address, in the order in which the first of them came. */
  private final Map<String, Failures> failures = new LinkedHashMap<>();

  FailedLogins(LongSupplier clockNs) {
    this.clockNs = clockNs;
  }

  private record Failures(long sinceNs, int count) {}

  /**
   * Refuses to try further tokens for a while.
   *
   * @throws RefusedException there were {@value #COUNT_MAX} wrong ones from this address
   */
  synchronized void check(String address) {
    Failures known = of(address);
    if (known.count >= COUNT_MAX) {
      long leftS = 1 + (LENGTH_NS - (clockNs.getAsLong() - known.sinceNs)) / 1_000_000_000;
      throw new RefusedException(
          429, "too many wrong tokens: count=" + COUNT_MAX + "; try again in " + leftS + " s");
    }
  }

  /** Adds a wrong token; if too many addresses are known, the oldest is forgotten. */
  synchronized void add(String address) {
    Failures known = of(address);
    if (known.count == 0 && failures.size() >= ADDRESS_COUNT_MAX) {
      failures.remove(failures.keySet().iterator().next());
    }
    failures.put(address, new Failures(known.sinceNs, known.count + 1));
  }

  /** Returns what is known of an address; those of more than a minute ago are forgotten. */
  private Failures of(String address) {
    long nowNs = clockNs.getAsLong();
    failures.values().removeIf(each -> nowNs - each.sinceNs >= LENGTH_NS);
    return failures.getOrDefault(address, new Failures(nowNs, 0));
  }
}
