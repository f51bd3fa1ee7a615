package io.millrace.client;

import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.protocol.QueueCalls;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Changes of the settings of a queue, or of all queues of a name. */
final class RemoteSettings {

  private RemoteSettings() {}

  /**
   * Changes settings; begins anew as often as others have changed them meanwhile.
   *
   * @param queue the queue; empty if a name is given
   * @param queueName the name of the queues; empty if a queue is given
   * @param known the settings as the server told them
   */
  static void change(
      Caller caller,
      Optional<QueueName> queue,
      Optional<String> queueName,
      QueueSettings known,
      UnaryOperator<QueueSettings> change) {
    Objects.requireNonNull(change, "change");
    Optional<QueueSettings> held = Optional.of(known);
    while (held.isPresent()) {
      QueueSettings from = held.get();
      held =
          caller
              .ask(
                  new QueueCalls.Configure(
                      queue, queueName, from, from.changed(change), caller.durability()))
              .present();
    }
  }
}
