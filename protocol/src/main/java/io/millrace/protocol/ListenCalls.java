package io.millrace.protocol;

import io.millrace.api.JobEvent;
import io.millrace.api.QueueName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Calls that tell what happens to jobs; see {@link io.millrace.api.JobQueues#listen}. */
public interface ListenCalls {

  /** A part of what a listener is told, in order. */
  sealed interface ListenedEvent {}

  /** An event that a listener is told of. */
  record Happened(JobEvent event) implements ListenedEvent {}

  /** The number of events that are missing between the one before and the next. */
  record Missed(long count) implements ListenedEvent {}

  /**
   * A call that begins to listen.
   *
   * @param queue the queue; empty for all queues
   */
  record Listen(Optional<QueueName> queue, Set<JobEvent.Kind> kinds)
      implements Call<Listen.Answer> {
    public record Answer(String id) {}
  }

  /**
   * A call that tells the next events, and waits for one if there is none.
   *
   * @param after what the last answer says that was received; 0 in the first call
   * @param most how many events to tell; {@value #COUNT_MAX} if it is empty
   */
  record NextEvents(String id, long after, OptionalInt most, Duration waiting)
      implements Call<NextEvents.Answer> {

    /** The most events of an answer. */
    public static final int COUNT_MAX = 1_000;

    /** The longest wait for an event. */
    public static final Duration WAITING_MAX = Duration.ofMinutes(1);

    /**
     * The answer, with the events in order.
     *
     * @param last what the next call confirms
     */
    public record Answer(long last, List<ListenedEvent> events) {}
  }

  /** A call that ends a listening. */
  record EndListen(String id) implements Call<EndListen.Answer> {
    public record Answer() {}
  }
}
