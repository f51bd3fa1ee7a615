package io.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.QueueName;
import io.millrace.engine.noted.Noted;
import io.millrace.engine.noted.Troubles;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Histories of what workers tell of themselves. */
final class NotedScripts {

  static final Map<String, SameAnswersTest.Script> ALL =
      Map.of("troubles", NotedScripts::troubles, "workers that serve", NotedScripts::serving);

  private static final QueueName MAIL = QueueName.of("mail");

  private NotedScripts() {}

  private static void troubles(JobQueues queues, Told told) {
    Noted noted = Noted.of(queues).orElseThrow();
    String topic = Troubles.ofType("letter");
    JobId id = queues.queue(MAIL).enqueue(new byte[0], letter()).jobId();

    told.of("news", () -> noted.troubles().tell(topic, "nobody knows letters"));
    awaitReason(queues, id, "NoHandler", true);
    told.of("told", () -> queues.explain(id).orElseThrow().reasons().get(0));
    told.of("no news", () -> noted.troubles().tell(topic, "nobody knows letters"));
    told.of("other news", () -> noted.troubles().tell(topic, "nobody reads letters"));
    told.of("its sentence", () -> noted.troubles().of(topic));

    noted.troubles().over(topic);
    awaitReason(queues, id, "NoHandler", false);
  }

  private static EnqueueOptions letter() {
    return EnqueueOptions.DEFAULT.type("letter");
  }

  private static void awaitReason(JobQueues queues, JobId id, String kind, boolean isThere) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (isThere
        != queues.explain(id).orElseThrow().reasons().stream()
            .anyMatch(reason -> reason.kind().equals(kind))) {
      assertThat(System.nanoTime() - end).isNegative();
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static void serving(JobQueues queues, Told told) {
    Noted noted = Noted.of(queues).orElseThrow();
    told.of("closed", noted::isClosed);
    JobId id = queues.queue(MAIL).enqueue(new byte[0], letter()).jobId();
    for (List<QueueName> served : List.of(List.of(MAIL), List.<QueueName>of())) {
      Runnable end = noted.serve(served, served.isEmpty() ? List.of(MAIL.name()) : List.of());
      awaitReason(queues, id, "WorkersBusy", true);
      end.run();
      awaitReason(queues, id, "NoClaims", true);
    }
    told.of("reasons", () -> queues.explain(id).orElseThrow().reasons().size());
  }
}
