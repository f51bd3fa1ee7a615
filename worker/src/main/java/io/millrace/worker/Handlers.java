package io.millrace.worker;

import io.millrace.api.JobType;
import io.millrace.api.QueueName;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The handlers of a worker, by the type of their jobs. */
final class Handlers {

  private final Map<String, TypeHandler<?>> byType = new LinkedHashMap<>();
  private boolean isAcrossTenants;

  <T> void add(JobType<T> type, Steps<T> steps, HandlerOptions options) {
    Objects.requireNonNull(options, "options");
    TypeHandler<T> added = new TypeHandler<>(type, steps, options, new RetryTimes(options));
    if (byType.putIfAbsent(type.name(), added) != null) {
      throw new IllegalArgumentException(
          "a worker has one handler for a type: type=" + type.name() + "; join them, or name two");
    }
  }

  void acrossTenants() {
    isAcrossTenants = true;
  }

  boolean isAcrossTenants() {
    return isAcrossTenants;
  }

  boolean isEmpty() {
    return byType.isEmpty();
  }

  Collection<TypeHandler<?>> all() {
    return byType.values();
  }

  @Nullable TypeHandler<?> of(String type) {
    return byType.get(type);
  }

  /** Calls a user's handler of any kind, and carries out what belongs to its answer. */
  @FunctionalInterface
  interface Steps<T> {
    Next handle(T payload, JobAtHand job) throws Exception;
  }

  /** A handler with its options and the type of the jobs that it runs. */
  record TypeHandler<T>(
      JobType<T> type, Steps<T> steps, HandlerOptions options, RetryTimes retryTimes) {

    QueueName queue() {
      return type.queueName();
    }

    /** Returns the payload that the bytes hold; throws what the codec throws. */
    T decode(byte[] payload) {
      return type.codec().decode(payload);
    }
  }
}
