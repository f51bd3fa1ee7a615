package io.millrace.server;

import static io.millrace.server.Handler.blocking;
import static io.millrace.server.Handler.slow;
import static io.millrace.server.Role.OPERATE;
import static io.millrace.server.Role.READ;

import io.millrace.api.JobQueues;
import io.millrace.api.QueueSettings;
import io.millrace.protocol.QueueCalls;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The handlers of calls on whole queues. */
final class QueueHandlers {

  static final List<Handler<?, ?>> ALL =
      List.of(
          blocking(
              QueueCalls.Configure.class,
              OPERATE,
              (queues, call) -> configure(Handlers.as(queues, call.durability()), call)),
          blocking(
              QueueCalls.Pause.class,
              OPERATE,
              (queues, call) -> {
                Handlers.queue(queues, call.queue(), call.durability()).pause();
                return new QueueCalls.Pause.Answer();
              }),
          blocking(
              QueueCalls.Resume.class,
              OPERATE,
              (queues, call) -> {
                Handlers.queue(queues, call.queue(), call.durability()).resume();
                return new QueueCalls.Resume.Answer();
              }),
          slow(
              QueueCalls.Purge.class,
              OPERATE,
              (queues, call) ->
                  new QueueCalls.Purge.Answer(
                      Handlers.queue(queues, call.queue(), call.durability())
                          .purge(call.states()))),
          slow(
              QueueCalls.Drain.class,
              OPERATE,
              (queues, call) ->
                  new QueueCalls.Drain.Answer(
                      Handlers.queue(queues, call.queue(), call.durability())
                          .drain(call.waiting()))),
          blocking(
              QueueCalls.EndDrain.class,
              OPERATE,
              (queues, call) -> {
                Handlers.queue(queues, call.queue(), call.durability()).endDrain();
                return new QueueCalls.EndDrain.Answer();
              }),
          slow(
              QueueCalls.DeleteQueue.class,
              OPERATE,
              (queues, call) ->
                  new QueueCalls.DeleteQueue.Answer(
                      Handlers.queue(queues, call.queue(), call.durability()).delete())),
          blocking(
              QueueCalls.QueueLeases.class,
              READ,
              (queues, call) -> new QueueCalls.QueueLeases.Answer(queues.admin().queueLeases())),
          blocking(
              QueueCalls.EndQueueLease.class,
              OPERATE,
              (queues, call) ->
                  new QueueCalls.EndQueueLease.Answer(queues.admin().endQueueLease(call.queue()))));

  private QueueHandlers() {}

  /** Changes settings that are as the caller knows them; else tells what they are. */
  private static QueueCalls.Configure.Answer configure(
      JobQueues queues, QueueCalls.Configure call) {
    if (call.queue().isPresent() == call.queueName().isPresent()) {
      throw new IllegalArgumentException("give one of queue and queueName");
    }
    AtomicReference<@Nullable QueueSettings> present = new AtomicReference<>();
    UnaryOperator<QueueSettings> change =
        held -> {
          boolean isExpected = held.equals(call.expected());
          present.set(isExpected ? null : held);
          return isExpected ? call.changed() : held;
        };
    if (call.queue().isPresent()) {
      queues.queue(call.queue().get()).configure(change);
    } else {
      queues.admin().configure(call.queueName().orElseThrow(), change);
    }
    return new QueueCalls.Configure.Answer(Optional.ofNullable(present.get()));
  }
}
