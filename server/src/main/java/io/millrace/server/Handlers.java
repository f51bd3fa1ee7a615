package io.millrace.server;

import io.millrace.api.Durability;
import io.millrace.api.JobQueue;
import io.millrace.api.JobQueues;
import io.millrace.api.QueueName;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The operations of the protocol as calls of the queues. */
final class Handlers {

  private Handlers() {}

  /** Returns a handler for each operation that needs nothing of a caller but its call. */
  static List<Handler<?, ?>> all() {
    return Stream.of(
            JobHandlers.ALL,
            LeaseHandlers.ALL,
            QueueHandlers.ALL,
            BatchHandlers.ALL,
            TableHandlers.ALL,
            NotedHandlers.ALL,
            ReadHandlers.ALL)
        .<Handler<?, ?>>flatMap(List::stream)
        .toList();
  }

  /** Returns the queues with the durability that is asked for. */
  static JobQueues as(JobQueues queues, Optional<Durability> durability) {
    return durability.map(queues::with).orElse(queues);
  }

  /** Returns the queue with the durability that is asked for. */
  static JobQueue queue(JobQueues queues, QueueName name, Optional<Durability> durability) {
    return as(queues, durability).queue(name);
  }
}
