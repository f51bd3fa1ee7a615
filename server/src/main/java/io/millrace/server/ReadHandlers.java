package io.millrace.server;

import static io.millrace.server.Handler.blocking;
import static io.millrace.server.Handler.slow;
import static io.millrace.server.Handler.telling;
import static io.millrace.server.Role.READ;

import io.millrace.api.EngineMetrics;
import io.millrace.api.JobQueues;
import io.millrace.api.QueueSettings;
import io.millrace.calls.OwnedJobs;
import io.millrace.engine.JobEngine;
import io.millrace.protocol.ReadCalls;
import java.util.List;
import java.util.Set;

/** The handlers of calls that change nothing. */
final class ReadHandlers {

  static final List<Handler<?, ?>> ALL =
      List.of(
          blocking(
              ReadCalls.Now.class,
              call -> Set.of(), // Workers ask for the time, too.
              (queues, call) -> new ReadCalls.Now.Answer(queues.now())),
          blocking(
              ReadCalls.Queues.class,
              READ,
              (queues, call) -> new ReadCalls.Queues.Answer(queues.queues(call.page()))),
          blocking(
              ReadCalls.Stats.class,
              READ,
              (queues, call) -> new ReadCalls.Stats.Answer(queues.stats(call.queue()))),
          slow(
              ReadCalls.AllStats.class,
              READ,
              (queues, call) -> new ReadCalls.AllStats.Answer(queues.stats(call.page()))),
          blocking(
              ReadCalls.Settings.class,
              READ,
              (queues, call) -> new ReadCalls.Settings.Answer(settings(queues, call))),
          blocking(
              ReadCalls.Peek.class,
              READ,
              (queues, call) ->
                  new ReadCalls.Peek.Answer(queues.peek(call.queue(), call.state(), call.page()))),
          blocking(
              ReadCalls.Get.class,
              READ,
              (queues, call) -> new ReadCalls.Get.Answer(queues.get(call.jobId()))),
          telling(ReadCalls.Explain.class, call -> Set.of(READ), ReadHandlers::explain),
          blocking(
              ReadCalls.DeadLetters.class,
              READ,
              (queues, call) ->
                  new ReadCalls.DeadLetters.Answer(
                      queues.deadLetters(call.queue(), call.filter(), call.page()))),
          slow(
              ReadCalls.Jobs.class,
              READ,
              (queues, call) -> new ReadCalls.Jobs.Answer(queues.list(call.filter(), call.page()))),
          blocking(
              ReadCalls.ActiveQueues.class,
              READ,
              (queues, call) ->
                  new ReadCalls.ActiveQueues.Answer(queues.activeQueues(call.now(), call.page()))),
          blocking(
              ReadCalls.NextVisible.class,
              READ,
              (queues, call) -> new ReadCalls.NextVisible.Answer(queues.nextVisible(call.queue()))),
          slow(
              ReadCalls.Verify.class,
              READ,
              (queues, call) -> new ReadCalls.Verify.Answer(queues.verify())),
          blocking(
              ReadCalls.Metrics.class,
              READ,
              (queues, call) -> new ReadCalls.Metrics.Answer(metrics(queues))));

  private ReadHandlers() {}

  private static QueueSettings settings(JobQueues queues, ReadCalls.Settings call) {
    if (call.queue().isPresent() == call.queueName().isPresent()) {
      throw new IllegalArgumentException("give one of queue and queueName");
    }
    return call.queue().isPresent()
        ? queues.settings(call.queue().get())
        : queues.settings(call.queueName().orElseThrow());
  }

  /**
   * Explains a job. Queues that do not know whose it is are served to callers of all queues alone.
   */
  private static ReadCalls.Explain.Answer explain(Handler.Served served, ReadCalls.Explain call) {
    return new ReadCalls.Explain.Answer(
        served.queues() instanceof OwnedJobs owned
            ? owned.explain(call.jobId(), served.isTold())
            : served.queues().explain(call.jobId()));
  }

  private static EngineMetrics metrics(JobQueues queues) {
    if (queues instanceof JobEngine engine) {
      return engine.metrics();
    }
    throw new IllegalArgumentException(
        "the server has no engine of its own, and so no metrics; ask the one that it passes calls"
            + " on to");
  }
}
