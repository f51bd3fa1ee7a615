package io.millrace.protocol;

import io.millrace.api.QueueName;
import java.time.Duration;
import java.util.List;

/** Calls by which workers tell of themselves, for explanations and the engine's health. */
public interface NotedCalls {

  /**
   * A call that says that a worker serves queues, for as long as the call waits.
   *
   * @param tenantsOf the names all of whose tenants the worker serves
   * @param waiting for how long: whoever goes on serving calls again then
   */
  record Serve(List<QueueName> queues, List<String> tenantsOf, Duration waiting)
      implements Call<Serve.Answer> {

    /** The longest wait. */
    public static final Duration WAITING_MAX = Duration.ofHours(1);

    public record Answer() {}
  }

  /**
   * A call that says that some work cannot go on.
   *
   * @param topic the work, named the same whenever it is tried
   * @param sentence for people: what, why, and what helps
   * @param silence how long nothing need be said of the trouble before it is forgotten
   */
  record TellTrouble(String topic, String sentence, Duration silence)
      implements Call<TellTrouble.Answer> {
    public record Answer() {}
  }

  /** A call that says that the work goes on, or is not wanted any more. */
  record EndTrouble(String topic) implements Call<EndTrouble.Answer> {
    public record Answer() {}
  }
}
