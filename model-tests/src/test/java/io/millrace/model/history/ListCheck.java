package io.millrace.model.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.engine.JobEngine;
import io.millrace.model.ModelQueue;
import io.millrace.model.ModelRules;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Compares lists over all queues with the jobs of each queue and state, which {@link ContentCheck}
 * has compared with the model.
 */
final class ListCheck {

  private final World world;
  private final JobEngine engine;
  private final int pageSize;
  private final List<Job> all = new ArrayList<>();

  ListCheck(World world, int pageSize) {
    this.world = world;
    this.engine = world.engine();
    this.pageSize = pageSize;
    for (QueueName queue : queues()) {
      for (JobState state : JobState.values()) {
        all.addAll(jobs(queue, state));
      }
    }
  }

  private List<QueueName> queues() {
    return Texts.all(engine::queues, 100, name -> name);
  }

  private List<Job> jobs(QueueName queue, JobState state) {
    return Texts.all(page -> engine.peek(queue, state, page), 100, job -> job);
  }

  void run() {
    Instant aWhileAgo = Instant.ofEpochMilli(world.model.time.nowMs()).minusSeconds(20);
    Map<JobFilter, Predicate<Job>> questions = new LinkedHashMap<>();
    questions.put(JobFilter.ALL, job -> true);
    questions.put(
        JobFilter.ALL.states(Set.of(JobState.LEASED, JobState.READY)),
        job -> job.state() == JobState.LEASED || job.state() == JobState.READY);
    questions.put(JobFilter.ALL.queueName("mail"), job -> job.queue().name().equals("mail"));
    questions.put(JobFilter.ALL.tenant("mail"), job -> job.queue().tenant().equals("mail"));
    questions.put(JobFilter.ALL.priority(1, 127), job -> job.priority() > 0);
    questions.put(JobFilter.ALL.attempts(1, 1_000), job -> job.attempts() > 0);
    questions.put(
        JobFilter.ALL.enqueuedBefore(aWhileAgo), job -> job.enqueuedAt().isBefore(aWhileAgo));
    questions.put(
        JobFilter.ALL.enqueuedSince(aWhileAgo), job -> !job.enqueuedAt().isBefore(aWhileAgo));
    questions.put(
        JobFilter.ALL.errorContains("oo"), job -> job.lastError().orElse("").contains("oo"));
    questions.put(
        JobFilter.ALL.uniqueKey("a"), job -> job.uniqueKey().filter("a"::equals).isPresent());
    String key = JobShape.KEYS.get(1);
    questions.put(
        JobFilter.ALL.concurrencyKey(key),
        job -> job.concurrencyKey().filter(key::equals).isPresent());
    questions.put(
        JobFilter.ALL.state(JobState.BLOCKED).concurrencyKey("a"),
        job ->
            job.state() == JobState.BLOCKED
                && job.concurrencyKey().filter("a"::equals).isPresent());
    all.stream()
        .flatMap(job -> job.batch().stream())
        .distinct()
        .limit(2)
        .forEach(
            id ->
                questions.put(
                    JobFilter.ALL.batch(id), job -> job.batch().filter(id::equals).isPresent()));
    questions.forEach(this::compare);
    visible();
  }

  private void compare(JobFilter filter, Predicate<Job> condition) {
    List<JobId> expected = all.stream().filter(condition).map(Job::id).toList();
    assertThat(Texts.all(page -> engine.list(filter, page), pageSize, Job::id)).isEqualTo(expected);
  }

  private void visible() {
    if (world.wasWallSet) {
      useAllQueues();
    }
    for (long seconds : new long[] {0, 10, 100_000}) {
      Instant when = Instant.ofEpochMilli(world.model.time.nowMs()).plusSeconds(seconds);
      List<QueueName> expected =
          queues().stream()
              .filter(queue -> next(queue).filter(next -> !next.isAfter(when)).isPresent())
              .toList();
      assertThat(Texts.all(page -> engine.activeQueues(when, page), pageSize, name -> name))
          .as("active within " + seconds + " s")
          .containsExactlyInAnyOrderElementsOf(expected);
    }
    for (QueueName queue : queues()) {
      assertThat(engine.nextVisible(queue)).as("next of " + queue).isEqualTo(next(queue));
    }
  }

  /**
   * A restart at which the wall clock is behind leaves agenda rows in the future, each until its
   * queue is used.
   */
  private void useAllQueues() {
    for (ModelQueue queue : world.model.queues.values()) {
      engine.queue(queue.name).configure(held -> queue.settings);
    }
  }

  private Optional<Instant> next(QueueName queue) {
    Instant now = Instant.ofEpochMilli(world.model.time.nowMs());
    Stream<Instant> ready = ModelRules.oldestReadyAge(world.model, queue).stream().map(now::minus);
    Stream<Instant> delayed =
        jobs(queue, JobState.DELAYED).stream().map(job -> job.visibleAt().orElseThrow());
    return Stream.concat(ready, delayed).min(Comparator.naturalOrder());
  }
}
