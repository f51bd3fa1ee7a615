package io.millrace.opentelemetry;

import io.millrace.api.QueueName;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.context.Context;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of the conventions for messaging. Each attribute has few values, so that a program
 * with very many queues has few series. Any thread.
 */
final class Figures {

  /** The most classes of exceptions that are told one by one. */
  private static final int ERROR_COUNT_MAX = 100;

  private static final double NS_PER_SECOND = 1e9;

  /** The upper ends of the buckets in seconds, as the conventions advise. */
  private static final List<Double> BUCKETS =
      List.of(0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0);

  private final DoubleHistogram operations;
  private final DoubleHistogram runs;
  private final LongCounter sent;
  private final LongCounter consumed;
  private final Bounded queues;
  private final Bounded errors = new Bounded(ERROR_COUNT_MAX);

  Figures(Meter meter, int queueCountMax) {
    operations =
        histogram(
            meter,
            "messaging.client.operation.duration",
            "How long it took to enqueue, to claim, or to end a lease");
    runs = histogram(meter, "messaging.process.duration", "How long a handler worked on a job");
    sent = counter(meter, "messaging.client.sent.messages", "Jobs that were to be enqueued");
    consumed =
        counter(
            meter, "messaging.client.consumed.messages", "Jobs that were given to whoever works");
    queues = new Bounded(queueCountMax);
  }

  private static DoubleHistogram histogram(Meter meter, String name, String description) {
    return meter
        .histogramBuilder(name)
        .setUnit("s")
        .setDescription(description)
        .setExplicitBucketBoundariesAdvice(BUCKETS)
        .build();
  }

  private static LongCounter counter(Meter meter, String name, String description) {
    return meter.counterBuilder(name).setUnit("{message}").setDescription(description).build();
  }

  /** Notes an operation that a program called for itself. */
  void operation(Call call, long ns, Context context) {
    Attributes attributes =
        common(call.operation(), call.queue(), call.error())
            .put(Names.OPERATION_TYPE, call.operation().type)
            .build();
    operations.record(ns / NS_PER_SECOND, attributes, context);
  }

  /** Notes jobs that were to be enqueued. */
  void sent(Call call, int count, Context context) {
    if (count > 0) {
      sent.add(count, common(call.operation(), call.queue(), call.error()).build(), context);
    }
  }

  /** Notes jobs that somebody was given to work on. */
  void consumed(Call call, int count, Context context) {
    if (count > 0) {
      consumed.add(count, common(call.operation(), call.queue(), call.error()).build(), context);
    }
  }

  /** Notes how long a handler worked on a job. */
  void run(Call call, long ns, Context context) {
    Attributes attributes = common(call.operation(), call.queue(), call.error()).build();
    runs.record(ns / NS_PER_SECOND, attributes, context);
  }

  private AttributesBuilder common(
      Operation operation, @Nullable QueueName queue, @Nullable String error) {
    AttributesBuilder attributes =
        Attributes.builder()
            .put(Names.SYSTEM, MillraceTelemetry.SYSTEM)
            .put(Names.OPERATION, operation.word);
    if (queue != null) {
      attributes.put(Names.MESSAGING.queue, queues.of(queue.name()));
    }
    if (error != null) {
      attributes.put(Names.ERROR, errors.of(error));
    }
    return attributes;
  }

  /**
   * An operation that is over.
   *
   * @param queue the queue; null if there were several
   * @param error what it failed of; null if it did not
   */
  record Call(Operation operation, @Nullable QueueName queue, @Nullable String error) {}
}
