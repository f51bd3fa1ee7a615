package io.millrace.opentelemetry;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The values of an attribute of metrics, which have to be few: the first that come. Any thread. */
final class Bounded {

  private final int countMax;
  private final Set<String> values = ConcurrentHashMap.newKeySet();

  Bounded(int countMax) {
    this.countMax = countMax;
  }

  /** Returns the value; or the word for all others, if there is no room for it. */
  String of(String value) {
    return values.contains(value) || added(value) ? value : MillraceTelemetry.OTHER;
  }

  private synchronized boolean added(String value) {
    return values.contains(value) || values.size() < countMax && values.add(value);
  }
}
