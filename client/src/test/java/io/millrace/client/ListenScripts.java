package io.millrace.client;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.DeadLetters;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobEvent;
import io.millrace.api.JobEvent.Kind;
import io.millrace.api.JobListening;
import io.millrace.api.JobQueue;
import io.millrace.api.JobQueues;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.QueueName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/** Calls that listen, and what listeners are told. */
final class ListenScripts {

  static final Map<String, SameAnswersTest.Script> ALL =
      Map.of(
          "events", ListenScripts::events,
          "events of a queue", ListenScripts::eventsOfAQueue,
          "wrong listeners", ListenScripts::wrong,
          "listeners that are closed", ListenScripts::closed,
          "listeners that throw", ListenScripts::throwing,
          "listeners beyond the limit", ListenScripts::limit);

  private static final QueueName MAIL = QueueName.of("mail");

  private ListenScripts() {}

  private static Lease claim(JobQueue queue) {
    return queue.claim(ClaimOptions.by("w")).get(0);
  }

  private static void enqueue(JobQueue queue, String type) {
    queue.enqueue(new byte[3], EnqueueOptions.DEFAULT.type(type));
  }

  /** Has jobs go through what there is, and returns how many events that makes in the queue. */
  private static int live(JobQueue queue, JobQueues queues) {
    enqueue(queue, "completed");
    claim(queue).complete().orThrow();
    enqueue(queue, "retried");
    claim(queue).fail("at first", FailOptions.RETRY.delay(Duration.ofHours(1))).orThrow();
    enqueue(queue, "released");
    claim(queue).release().orThrow();
    claim(queue).snooze(Duration.ofHours(1)).orThrow();
    enqueue(queue, "dead");
    Lease dead = claim(queue);
    dead.fail("for good", FailOptions.PERMANENT).orThrow();
    queue.deadLetters().redrive(dead.jobId(), DeadLetters.Checkpointed.KEEP).orThrow();
    queues.cancel(dead.jobId()).orThrow();
    enqueue(queue, "waiting");
    Lease waiting = claim(queue);
    waiting.waitFor("signal").orThrow();
    queues.signals().signal(waiting.jobId(), "signal", new byte[0]).orThrow();
    queue.purge(Set.of(JobState.READY));
    return 21;
  }

  private static void events(JobQueues queues, Told told) {
    Heard heard = new Heard();
    JobListening listening = queues.listen(heard);
    int count = live(queues.queue(MAIL), queues);
    enqueue(queues.queue("other", "acme"), "elsewhere");
    var done =
        queues.inTransaction(
            tx -> {
              tx.enqueue(MAIL, new byte[0], EnqueueOptions.DEFAULT.type("one"));
              tx.enqueue(QueueName.of("more"), new byte[0], EnqueueOptions.DEFAULT.type("two"));
            });
    told.of("transaction", () -> done);
    told.of("events", () -> heard.await(count + 3));
    told.of("kinds", () -> kinds(heard));
    told.of("gaps", () -> heard.gaps);
    told.of("missed", listening::missedCount);
    told.done("close", listening::close);
  }

  private static Set<Kind> kinds(Heard heard) {
    Set<Kind> kinds = EnumSet.noneOf(Kind.class);
    heard.events.forEach(event -> kinds.add(event.kind()));
    return kinds;
  }

  private static void eventsOfAQueue(JobQueues queues, Told told) {
    Heard heard = new Heard();
    Heard rare = new Heard();
    JobListening one = queues.listen(MAIL, EnumSet.allOf(Kind.class), heard);
    JobListening other = queues.listen(MAIL, Set.of(Kind.DIED, Kind.REDRIVEN), rare);
    enqueue(queues.queue("other"), "elsewhere");
    int count = live(queues.queue(MAIL), queues);
    told.of("events", () -> heard.await(count));
    told.of("rare ones", () -> rare.await(2));
    one.close();
    other.close();
    told.of("events then", () -> heard.types().size());
  }

  private static void wrong(JobQueues queues, Told told) {
    Heard heard = new Heard();
    Set<Kind> some = Set.of(Kind.DIED);
    told.of("null", () -> queues.listen(null));
    told.of("queue null", () -> queues.listen(null, some, heard));
    told.of("kinds null", () -> queues.listen(MAIL, null, heard));
    told.of("listener null", () -> queues.listen(MAIL, some, null));
    told.of("no kinds", () -> queues.listen(MAIL, Set.of(), heard));
    told.of(
        "in a transaction",
        () ->
            queues.transact(
                tx -> {
                  queues.table("rows", Codec.TEXT, Codec.TEXT);
                  return queues.listen(heard);
                }));
    told.of(
        "of a queue in a transaction",
        () -> queues.transact(tx -> queues.listen(MAIL, some, heard)));
  }

  private static void closed(JobQueues queues, Told told) {
    JobQueue mail = queues.queue(MAIL);
    Heard heard = new Heard();
    JobListening listening = queues.listen(heard);
    enqueue(mail, "before");
    told.of("before", () -> heard.await(1));
    told.done("close", listening::close);
    told.done("close again", listening::close);
    enqueue(mail, "after");
    told.of("after", heard::types);

    List<JobListening> own = new ArrayList<>();
    CountDownLatch known = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    Heard once =
        new Heard() {
          @Override
          public void happened(JobEvent event) {
            super.happened(event);
            Told.quietly(known::await);
            own.get(0).close();
            ended.countDown();
          }
        };
    own.add(queues.listen(once));
    for (int i = 0; i < 3; i++) {
      enqueue(mail, "own");
    }
    known.countDown();
    told.done("closes itself", ended::await);
    told.of("told", once::types);
    told.done("close of another thread", own.get(0)::close);
  }

  private static void throwing(JobQueues queues, Told told) {
    Heard heard =
        new Heard() {
          @Override
          public void happened(JobEvent event) {
            super.happened(event);
            Thread.currentThread().interrupt();
            throw new AssertionError("the user's own");
          }
        };
    JobListening listening = queues.listen(heard);
    enqueue(queues.queue(MAIL), "one");
    enqueue(queues.queue(MAIL), "two");
    told.of("told", () -> heard.await(2));
    listening.close();
  }

  private static void limit(JobQueues queues, Told told) {
    List<JobListening> all = new ArrayList<>();
    for (int i = 0; i < Limits.LISTENER_COUNT_MAX; i++) {
      all.add(queues.listen(event -> {}));
    }
    told.of("one more", () -> queues.listen(event -> {}));
    all.get(7).close();
    told.of("in the place of another", () -> queues.listen(event -> {}).missedCount());
    all.forEach(JobListening::close);
  }
}
