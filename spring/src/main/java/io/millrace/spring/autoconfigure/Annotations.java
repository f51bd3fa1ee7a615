package io.millrace.spring.autoconfigure;

import io.millrace.spring.JobHandler;
import io.millrace.spring.Recurring;
import io.millrace.worker.HandlerOptions;
import io.millrace.worker.Schedule;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.StringValueResolver;

/** Reads annotations of methods that work on jobs, whose texts may have placeholders. */
final class Annotations {

  private final StringValueResolver placeholders;

  Annotations(StringValueResolver placeholders) {
    this.placeholders = placeholders;
  }

  /**
   * Reads the annotation of a handler.
   *
   * @throws ConfigurationFault a value of it is wrong
   */
  AnnotatedHandler read(HandlerMethod method, JobHandler says) {
    return orFault(
        method,
        "@JobHandler",
        () -> {
          UnaryOperator<HandlerOptions> timeout = timeout(says.timeout());
          UnaryOperator<HandlerOptions> options =
              checked(
                  given -> {
                    HandlerOptions timed = timeout.apply(given);
                    HandlerOptions limited =
                        says.concurrency() == 0 ? timed : timed.concurrency(says.concurrency());
                    return limited.permanent(says.permanent()).releaseOn(says.releaseOn());
                  });
          return new AnnotatedHandler(
              method, text(says.value()), optional(says.queue()), options, Optional.empty());
        });
  }

  /**
   * Reads the annotation of a recurring method.
   *
   * @throws ConfigurationFault a value of it is wrong, or the method has a payload
   */
  AnnotatedHandler read(HandlerMethod method, Recurring says) {
    return orFault(
        method,
        "@Recurring",
        () -> {
          if (method.hasPayload()) {
            throw new IllegalArgumentException(
                "the method has a payload, " + method.payloadType() + ", which nobody gives it");
          }
          UnaryOperator<HandlerOptions> options = checked(timeout(says.timeout()));
          return new AnnotatedHandler(
              method, text(says.name()), optional(says.queue()), options, schedule(says));
        });
  }

  private Optional<Schedule> schedule(Recurring says) {
    String name = text(says.name());
    String cron = text(says.cron());
    String every = text(says.every());
    if (cron.equals(Recurring.DISABLED) || every.equals(Recurring.DISABLED)) {
      return Optional.empty();
    }
    if (cron.isEmpty() == every.isEmpty()) {
      throw new IllegalArgumentException("one of cron and every is to be set, and only one");
    }
    Schedule times =
        cron.isEmpty()
            ? Schedule.every(name, duration(every))
            : Schedule.cron(name, cron, zone(says.zone()));
    Schedule.Missed missed =
        says.missed() == Recurring.Missed.SKIP ? Schedule.Missed.SKIP : Schedule.Missed.RUN_ONCE;
    Optional<String> jitter = optional(says.jitter());
    Schedule schedule = times.missed(missed).overlap(says.overlap());
    return Optional.of(jitter.map(it -> schedule.jitter(duration(it))).orElse(schedule));
  }

  private ZoneId zone(String value) {
    try {
      return optional(value).map(ZoneId::of).orElseGet(ZoneId::systemDefault);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("not a zone: value=\"" + value + "\"", e);
    }
  }

  /** Tries the change, so that a wrong value is found now. */
  private static UnaryOperator<HandlerOptions> checked(UnaryOperator<HandlerOptions> change) {
    Objects.requireNonNull(change.apply(HandlerOptions.DEFAULT), "changed options");
    return change;
  }

  private UnaryOperator<HandlerOptions> timeout(String value) {
    Optional<Duration> timeout = optional(value).map(Annotations::duration);
    return options -> timeout.map(options::timeout).orElse(options);
  }

  private static Duration duration(String text) {
    return DurationStyle.detectAndParse(text);
  }

  private Optional<String> optional(String value) {
    return Optional.of(text(value)).filter(it -> !it.isEmpty());
  }

  private String text(String value) {
    String resolved = placeholders.resolveStringValue(value);
    return resolved == null ? "" : resolved;
  }

  private interface Reading {
    AnnotatedHandler read();
  }

  private static AnnotatedHandler orFault(
      HandlerMethod method, String annotation, Reading reading) {
    try {
      return reading.read();
    } catch (IllegalArgumentException e) {
      throw new ConfigurationFault(
          annotation + " of " + method + " is wrong: " + e.getMessage(),
          "Correct the annotation",
          e);
    }
  }
}
