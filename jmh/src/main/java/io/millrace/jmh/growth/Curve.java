package io.millrace.jmh.growth;

import io.millrace.jmh.load.LoadOptions;
import io.millrace.jmh.load.LoadOptions.ThreadKind;
import io.millrace.jmh.load.VirtualThreads;
import java.util.List;
import java.util.Optional;

/**
 * The same load at growing amounts of one thing.
 *
 * @param name the name that {@code --rows} matches
 * @param chart the name of its chart, which curves of the same thing share
 * @param subject what grows, as a title
 * @param axis what the amount counts, as the label of an axis
 * @param load the load, for a reader
 * @param unit how amounts are written
 * @param isStored whether the amount is kept in the store
 * @param steps the amounts, rising
 */
public record Curve(
    String name,
    String chart,
    String subject,
    String axis,
    String load,
    Unit unit,
    boolean isStored,
    List<Step> steps) {

  /** Way to write an amount. */
  public enum Unit {
    COUNT,
    BYTES
  }

  /** An amount, and the load at it. */
  public record Step(int amount, LoadOptions options) {

    /** Returns why it cannot be measured here; empty if it can. */
    public Optional<String> missing() {
      boolean isVirtual = options.callers().threads() == ThreadKind.VIRTUAL;
      return isVirtual && !VirtualThreads.areThere()
          ? Optional.of("virtual threads need Java 21 or later")
          : Optional.empty();
    }
  }
}
