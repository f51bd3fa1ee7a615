package io.millrace.server;

import static io.millrace.server.Handler.blocking;
import static io.millrace.server.Handler.slow;
import static io.millrace.server.Handler.waiting;
import static io.millrace.server.Role.ENQUEUE;
import static io.millrace.server.Role.OPERATE;
import static io.millrace.server.Role.READ;

import io.millrace.api.JobQueues;
import io.millrace.protocol.BatchCalls;
import java.util.List;

/** The handlers of calls on batches. */
final class BatchHandlers {

  static final List<Handler<?, ?>> ALL =
      List.of(
          slow(
              BatchCalls.StartBatch.class,
              ENQUEUE,
              (queues, call) -> {
                JobQueues as = Handlers.as(queues, call.durability());
                return new BatchCalls.StartBatch.Answer(
                    call.isOpen()
                        ? as.batches().open(call.batch())
                        : as.batches().start(call.batch()));
              }),
          blocking(
              BatchCalls.SealBatch.class,
              ENQUEUE,
              (queues, call) -> {
                Handlers.as(queues, call.durability()).batches().seal(call.id());
                return new BatchCalls.SealBatch.Answer();
              }),
          slow(
              BatchCalls.CancelBatch.class,
              OPERATE,
              (queues, call) ->
                  new BatchCalls.CancelBatch.Answer(
                      Handlers.as(queues, call.durability()).batches().cancel(call.id()))),
          waiting(
              BatchCalls.AwaitBatch.class,
              ENQUEUE,
              (queues, call) -> queues.batches().await(call.id()),
              BatchCalls.AwaitBatch.Answer::new),
          blocking(
              BatchCalls.GetBatch.class,
              READ,
              (queues, call) -> new BatchCalls.GetBatch.Answer(queues.batches().get(call.id()))),
          blocking(
              BatchCalls.Batches.class,
              READ,
              (queues, call) -> new BatchCalls.Batches.Answer(queues.batches().list(call.page()))),
          blocking(
              BatchCalls.BatchResults.class,
              READ,
              (queues, call) ->
                  new BatchCalls.BatchResults.Answer(
                      queues.batches().results(call.id(), call.page()))));

  private BatchHandlers() {}
}
