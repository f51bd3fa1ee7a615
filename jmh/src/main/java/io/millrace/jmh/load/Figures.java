package io.millrace.jmh.load;

import java.util.Locale;

/** Shares and ratios as people read them, also where nothing was done to which they could refer. */
public final class Figures {

  private static final double SHARE_MAX = 9.995;
  private static final double RATIO_MAX = 999.995;

  private Figures() {}

  /** Returns a share as text, such as {@code 12 %}. */
  public static String percent(double share) {
    return share < SHARE_MAX ? String.format(Locale.ROOT, "%.0f %%", 100 * share) : "> 999 %";
  }

  /** Returns a ratio as text, such as {@code 0.34}. */
  public static String ratio(double ratio) {
    return ratio < RATIO_MAX ? String.format(Locale.ROOT, "%.2f", ratio) : "> 999";
  }
}
