package io.millrace.server;

import static io.millrace.server.Role.WORK;

import io.millrace.api.JobQueues;
import io.millrace.engine.noted.Noted;
import io.millrace.options.Checks;
import io.millrace.protocol.NotedCalls.EndTrouble;
import io.millrace.protocol.NotedCalls.Serve;
import io.millrace.protocol.NotedCalls.TellTrouble;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The handlers of what workers tell of themselves; queues whose health nobody sees ignore it. */
final class NotedHandlers {

  private static final int QUEUE_COUNT_MAX = 10_000;
  private static final int TOPIC_BYTES_MAX = 1_000;
  private static final int SENTENCE_BYTES_MAX = 10_000;
  private static final Duration SILENCE_MAX = Duration.ofDays(1);

  static final List<Handler<?, ?>> ALL =
      List.of(
          Handler.waiting(Serve.class, WORK, NotedHandlers::serve, Function.identity()),
          Handler.later(TellTrouble.class, WORK, NotedHandlers::tell),
          Handler.later(EndTrouble.class, WORK, NotedHandlers::end));

  private NotedHandlers() {}

  /** Returns a future with whose end the note is taken back. */
  private static CompletableFuture<Serve.Answer> serve(JobQueues queues, Serve call) {
    int count = call.queues().size() + call.tenantsOf().size();
    Checks.inRange("number of queues and names", count, 1, QUEUE_COUNT_MAX);
    Checks.upTo("waiting", call.waiting(), Serve.WAITING_MAX);
    CompletableFuture<Serve.Answer> serving = new CompletableFuture<>();
    Noted.of(queues)
        .map(noted -> noted.serve(call.queues(), call.tenantsOf()))
        .ifPresent(end -> serving.whenComplete((answer, thrown) -> end.run()));
    return serving.completeOnTimeout(
        new Serve.Answer(), call.waiting().toMillis(), TimeUnit.MILLISECONDS);
  }

  private static CompletableFuture<TellTrouble.Answer> tell(JobQueues queues, TellTrouble call) {
    Checks.text("topic", call.topic(), 1, TOPIC_BYTES_MAX);
    Checks.text("sentence", call.sentence(), 1, SENTENCE_BYTES_MAX);
    Checks.upTo("silence", call.silence(), SILENCE_MAX);
    Noted.troublesOf(queues)
        .ifPresent(troubles -> troubles.tell(call.topic(), call.sentence(), call.silence()));
    return CompletableFuture.completedFuture(new TellTrouble.Answer());
  }

  private static CompletableFuture<EndTrouble.Answer> end(JobQueues queues, EndTrouble call) {
    Noted.troublesOf(queues).ifPresent(troubles -> troubles.over(call.topic()));
    return CompletableFuture.completedFuture(new EndTrouble.Answer());
  }
}
