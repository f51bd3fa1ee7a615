package io.millrace.opentelemetry;

import io.millrace.api.EnqueueOptions;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The context of a job in the job's headers. Any thread. */
final class Headers {

  private static final TextMapGetter<Map<String, String>> GETTER =
      new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(Map<String, String> headers) {
          return headers.keySet();
        }

        @Override
        public @Nullable String get(@Nullable Map<String, String> headers, String name) {
          return headers == null ? null : headers.get(name);
        }
      };

  private final TextMapPropagator propagator;

  Headers(TextMapPropagator propagator) {
    this.propagator = propagator;
  }

  /**
   * Returns options whose headers carry the context too. Those that carry one are left as they are,
   * and so are those whose headers have no room for it: a job is worth more than its trace.
   */
  EnqueueOptions with(Context context, EnqueueOptions options) {
    if (!isFree(options.headers())) {
      return options;
    }
    Map<String, String> all = new LinkedHashMap<>();
    propagator.inject(context, all, (carrier, name, value) -> put(carrier, name, value));
    if (all.isEmpty()) {
      return options;
    }
    options.headers().forEach(all::put);
    try {
      return options.headers(all);
    } catch (IllegalArgumentException e) { // these headers are too many or too long together
      return options;
    }
  }

  private static void put(@Nullable Map<String, String> carrier, String name, String value) {
    if (carrier != null) {
      carrier.put(name, value);
    }
  }

  private boolean isFree(Map<String, String> headers) {
    return headers.isEmpty() || propagator.fields().stream().noneMatch(headers::containsKey);
  }

  /** Returns the context that the headers carry, and nothing of the thread's own. */
  Context context(Map<String, String> headers) {
    return propagator.extract(Context.root(), headers, GETTER);
  }

  /** Returns the span that the headers name; one that is not valid if they name none. */
  SpanContext span(Map<String, String> headers) {
    return headers.isEmpty()
        ? SpanContext.getInvalid()
        : Span.fromContext(context(headers)).getSpanContext();
  }
}
