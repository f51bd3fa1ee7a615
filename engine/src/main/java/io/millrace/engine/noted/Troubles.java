package io.millrace.engine.noted;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Troubles of workers, which report work that cannot go on. A trouble is shown in the engine's
 * health once it has lasted a minute, until it is over, or has not been reported for ten. Any
 * thread.
 */
public class Troubles {

  /** The time for which a trouble has to be reported again and again before it is shown. */
  static final Duration SHOWN_AFTER = Duration.ofMinutes(1);

  /** The time after which a trouble that is not reported again is forgotten. */
  static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(10);

  private static final int KEPT_COUNT_MAX = 1_000;
  private static final int SHOWN_COUNT_MAX = 5;

  private final LongSupplier clockNs;
  private final Map<String, Trouble> troubles = new LinkedHashMap<>();

  private record Trouble(String sentence, long firstNs, long untilNs) {}

  /** Returns the topic of jobs of a type that no handler knows. */
  public static String ofType(String type) {
    return "type " + type;
  }

  /** Creates a collection without troubles. */
  public Troubles(LongSupplier clockNs) {
    this.clockNs = clockNs;
  }

  /**
   * Reports that something could not be done. Returns whether that is news.
   *
   * @param topic the work, named the same whenever it is tried
   * @param sentence for people: what, why, and what helps
   */
  public final boolean tell(String topic, String sentence) {
    return tell(topic, sentence, FORGOTTEN_AFTER);
  }

  /**
   * Reports that something could not be done; see {@link #tell(String, String)}.
   *
   * @param silence how long nothing need be said of the trouble before it is forgotten
   */
  public synchronized boolean tell(String topic, String sentence, Duration silence) {
    long nowNs = clockNs.getAsLong();
    forget(nowNs);
    Trouble before = troubles.get(topic);
    if (before != null || troubles.size() < KEPT_COUNT_MAX) {
      long firstNs = before == null ? nowNs : before.firstNs();
      troubles.put(topic, new Trouble(sentence, firstNs, nowNs + silence.toNanos()));
    }
    return before == null || !before.sentence().equals(sentence);
  }

  /** Reports that the work has been done, or is not wanted any more. */
  public synchronized void over(String topic) {
    troubles.remove(topic);
  }

  private void forget(long nowNs) {
    troubles.values().removeIf(it -> nowNs - it.untilNs() > 0);
  }

  /** Returns the sentence that was reported of the topic, shown yet or not. */
  public final synchronized Optional<String> of(String topic) {
    forget(clockNs.getAsLong());
    return Optional.ofNullable(troubles.get(topic)).map(Trouble::sentence);
  }

  /** Returns the troubles that have lasted long enough to be shown, in one text. */
  public final synchronized Optional<String> shown() {
    long nowNs = clockNs.getAsLong();
    forget(nowNs);
    List<String> lasting =
        troubles.values().stream()
            .filter(it -> nowNs - it.firstNs() >= SHOWN_AFTER.toNanos())
            .map(Trouble::sentence)
            .toList();
    if (lasting.isEmpty()) {
      return Optional.empty();
    }
    int more = lasting.size() - SHOWN_COUNT_MAX;
    String first = String.join("; ", lasting.subList(0, Math.min(lasting.size(), SHOWN_COUNT_MAX)));
    return Optional.of(more > 0 ? first + "; and " + more + " more like these" : first);
  }
}
