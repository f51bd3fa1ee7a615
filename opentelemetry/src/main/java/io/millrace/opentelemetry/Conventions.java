package io.millrace.opentelemetry;

import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The choice whether OpenTelemetry's conventions for messaging apply. They are still in
 * development: names of attributes and metrics may change, with a release of Millrace that says so.
 */
public enum Conventions {

  /**
   * The conventions apply if the program asks for them as they say: its environment variable {@code
   * OTEL_SEMCONV_STABILITY_OPT_IN}, or its system property {@code otel.semconv-stability.opt-in},
   * lists {@code messaging} or {@code messaging/dup}.
   */
  AS_OPTED_IN,

  /** The conventions apply: attributes and metrics have the names that start with messaging. */
  MESSAGING,

  /** Attributes have names of Millrace's own, which stay, and there are no metrics. */
  OWN;

  static final String VARIABLE = "OTEL_SEMCONV_STABILITY_OPT_IN";
  static final String PROPERTY = "otel.semconv-stability.opt-in";

  /** Tells whether the conventions for messaging apply. */
  boolean areMessaging(
      Function<String, @Nullable String> variables, Function<String, @Nullable String> properties) {
    return this == AS_OPTED_IN
        ? isListed(variables.apply(VARIABLE)) || isListed(properties.apply(PROPERTY))
        : this == MESSAGING;
  }

  private static boolean isListed(@Nullable String list) {
    return list != null
        && Arrays.stream(list.split(","))
            .map(String::strip)
            .anyMatch(entry -> entry.equals("messaging") || entry.equals("messaging/dup"));
  }
}
