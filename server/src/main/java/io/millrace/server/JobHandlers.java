package io.millrace.server;

import static io.millrace.server.Handler.blocking;
import static io.millrace.server.Handler.later;
import static io.millrace.server.Handler.slow;
import static io.millrace.server.Role.ENQUEUE;
import static io.millrace.server.Role.OPERATE;

import io.millrace.api.DeadLetters;
import io.millrace.api.Durability;
import io.millrace.api.JobQueues;
import io.millrace.api.QueueName;
import io.millrace.protocol.JobCalls;
import java.util.List;
import java.util.Optional;

/** The handlers of calls that make jobs and name them. */
final class JobHandlers {

  static final List<Handler<?, ?>> ALL =
      List.of(
          later(
              JobCalls.Enqueue.class,
              ENQUEUE,
              (queues, call) ->
                  Handlers.queue(queues, call.queue(), call.durability())
                      .offerAllAsync(call.jobs())
                      .thenApply(JobCalls.Enqueue.Answer::new)),
          later(
              JobCalls.Signal.class,
              ENQUEUE,
              (queues, call) ->
                  Handlers.as(queues, call.durability())
                      .signals()
                      .signalAllAsync(call.jobIds(), call.signal(), call.payload())
                      .thenApply(JobCalls.Signal.Answer::new)),
          slow(
              JobCalls.Broadcast.class,
              ENQUEUE,
              (queues, call) ->
                  new JobCalls.Broadcast.Answer(
                      Handlers.as(queues, call.durability())
                          .signals()
                          .broadcast(call.queue(), call.signal(), call.payload(), call.kept()))),
          blocking(
              JobCalls.Cancel.class,
              OPERATE,
              (queues, call) -> {
                JobQueues as = Handlers.as(queues, call.durability());
                return new JobCalls.Cancel.Answer(
                    call.onlyIfWaiting()
                        ? as.cancelIfWaiting(call.jobId())
                        : as.cancel(call.jobId()));
              }),
          blocking(
              JobCalls.Reschedule.class,
              OPERATE,
              (queues, call) ->
                  new JobCalls.Reschedule.Answer(
                      Handlers.as(queues, call.durability())
                          .reschedule(call.jobId(), call.visibleAt()))),
          blocking(
              JobCalls.Update.class,
              OPERATE,
              (queues, call) ->
                  new JobCalls.Update.Answer(
                      Handlers.as(queues, call.durability()).update(call.jobId(), call.changes()))),
          blocking(
              JobCalls.ReleaseJob.class,
              OPERATE,
              (queues, call) ->
                  new JobCalls.ReleaseJob.Answer(
                      Handlers.as(queues, call.durability()).admin().release(call.jobId()))),
          blocking(
              JobCalls.FailStuck.class,
              OPERATE,
              (queues, call) ->
                  new JobCalls.FailStuck.Answer(
                      Handlers.as(queues, call.durability())
                          .admin()
                          .failStuck(call.jobId(), call.error()))),
          blocking(
              JobCalls.Redrive.class,
              OPERATE,
              (queues, call) ->
                  new JobCalls.Redrive.Answer(
                      dead(queues, call.queue(), call.durability())
                          .redrive(call.jobId(), call.checkpointed()))),
          slow(
              JobCalls.RedriveAll.class,
              OPERATE,
              (queues, call) ->
                  new JobCalls.RedriveAll.Answer(
                      dead(queues, call.queue(), call.durability())
                          .redriveAll(call.filter(), call.checkpointed()))),
          blocking(
              JobCalls.DeleteDead.class,
              OPERATE,
              (queues, call) ->
                  new JobCalls.DeleteDead.Answer(
                      dead(queues, call.queue(), call.durability()).delete(call.jobId()))),
          slow(
              JobCalls.DeleteAllDead.class,
              OPERATE,
              (queues, call) ->
                  new JobCalls.DeleteAllDead.Answer(
                      dead(queues, call.queue(), call.durability()).deleteAll(call.filter()))));

  private JobHandlers() {}

  private static DeadLetters dead(
      JobQueues queues, QueueName name, Optional<Durability> durability) {
    return Handlers.queue(queues, name, durability).deadLetters();
  }
}
