package io.millrace.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.DeadFilter;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Calls that change nothing. */
final class ReadScripts {

  static final Map<String, SameAnswersTest.Script> ALL =
      Map.of("reads", ReadScripts::reads, "wrong reads", ReadScripts::wrong);

  private static final QueueName MAIL = QueueName.of("mail");
  private static final PageRequest TWO = PageRequest.first(2);

  private ReadScripts() {}

  private static JobId fill(JobQueues queues) {
    EnqueueOptions options = EnqueueOptions.DEFAULT.type("letter").header("to", "Ann");
    for (int i = 0; i < 5; i++) {
      queues.queue(MAIL).enqueue(("letter " + i).getBytes(UTF_8), options.priority(i % 2));
    }
    queues.queue("other", "acme").enqueue(new byte[3000]);
    queues.queue("other").enqueue(new byte[0], EnqueueOptions.DEFAULT.delay(Duration.ofHours(1)));
    Lease lease = queues.queue(MAIL).claim(ClaimOptions.by("w")).get(0);
    lease.fail("no such letter", FailOptions.PERMANENT).orThrow();
    queues.table("stock", Codec.TEXT, Codec.LONG).put("boots", 7L);
    return lease.jobId();
  }

  private static void reads(JobQueues queues, Told told) {
    JobId dead = fill(queues);
    told.of("now", queues::now);
    told.of("queues", () -> queues.queues(TWO));
    told.of(
        "queues after", () -> queues.queues(PageRequest.after(queues.queues(TWO).next().get(), 2)));
    told.of("stats", () -> queues.stats(MAIL));
    told.of("stats of none", () -> queues.stats(QueueName.of("none")));
    told.of("all stats", () -> queues.stats(PageRequest.first(10)));
    told.of("settings", () -> queues.settings(MAIL).texts());
    told.of("settings of a name", () -> queues.settings("mail").texts());
    for (JobState state : JobState.values()) {
      told.of("peek " + state, () -> queues.peek(MAIL, state, PageRequest.first(10)));
    }
    told.of("streamed", () -> Page.stream(page -> queues.list(JobFilter.ALL, page)).toList());
    told.of("get", () -> queues.get(dead));
    told.of("get none", () -> queues.get(new JobId(1, 2)));
    told.of("explain", () -> queues.explain(dead));
    told.of("explain none", () -> queues.explain(new JobId(1, 2)));
    told.of("dead", () -> queues.deadLetters(MAIL, DeadFilter.ALL, TWO));
    told.of("list", () -> queues.list(JobFilter.ALL.header("to", "Ann").priority(0, 9), TWO));
    told.of("active", () -> queues.activeQueues(queues.now(), PageRequest.first(10)));
    told.of("next", () -> queues.nextVisible(QueueName.of("other")));
    told.of("next of none", () -> queues.nextVisible(QueueName.of("none")));
    told.of("tables", () -> queues.tables(TWO));
    told.of("verify", queues::verify);
  }

  private static void wrong(JobQueues queues, Told told) {
    fill(queues);
    PageRequest foreign = PageRequest.after("bm8gY3Vyc29y", 2);
    told.of("queues", () -> queues.queues(foreign));
    told.of("queues null", () -> queues.queues(null));
    told.of("stats", () -> queues.stats(foreign));
    told.of("stats null", () -> queues.stats((QueueName) null));
    told.of("settings", () -> queues.settings(""));
    told.of("settings long", () -> queues.settings("x".repeat(2_000)));
    told.of("settings null", () -> queues.settings((QueueName) null));
    told.of("settings name null", () -> queues.settings((String) null));
    told.of("peek", () -> queues.peek(MAIL, JobState.READY, foreign));
    told.of("peek null", () -> queues.peek(MAIL, null, TWO));
    told.of("get", () -> queues.get(null));
    told.of("explain", () -> queues.explain(null));
    told.of("dead", () -> queues.deadLetters(MAIL, DeadFilter.ALL, foreign));
    told.of("dead null", () -> queues.deadLetters(MAIL, null, TWO));
    told.of("list", () -> queues.list(JobFilter.ALL, foreign));
    told.of("list null", () -> queues.list(null, TWO));
    told.of("active", () -> queues.activeQueues(Instant.MAX, TWO));
    told.of("active cursor", () -> queues.activeQueues(queues.now(), foreign));
    told.of("active null", () -> queues.activeQueues(null, TWO));
    told.of("next", () -> queues.nextVisible(null));
    told.of("tables", () -> queues.tables(foreign));
    told.of("batches", () -> queues.batches().list(foreign));
    told.of("queue", () -> queues.queue((QueueName) null));
    told.of("queue name", () -> queues.queue(""));
    told.of("table", () -> queues.table("millrace.x", Codec.TEXT, Codec.TEXT));
    told.of("table null", () -> queues.table("x", null, Codec.TEXT));
    told.of("job", () -> queues.queue(MAIL).offerAll(List.of(NewJob.of(new byte[1]), null)));
  }
}
