package io.millrace.model.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.DeadFilter;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.api.VerifyReport;
import io.millrace.engine.JobEngine;
import io.millrace.model.ModelJob;
import io.millrace.model.ModelQueue;
import io.millrace.model.ModelRules;
import io.millrace.model.ReferenceModel;
import io.millrace.model.history.World.Born;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Compares everything that can be seen of an engine with the model: queues, counts, jobs by page
 * and by id.
 */
final class ContentCheck {

  private final World world;
  private final JobEngine engine;
  private final ReferenceModel model;
  private final int pageSize;

  private ContentCheck(World world, int pageSize) {
    this.world = world;
    this.engine = world.engine();
    this.model = world.model;
    this.pageSize = pageSize;
  }

  static void of(World world, int pageSize) {
    world.flush();
    ContentCheck check = new ContentCheck(world, pageSize);
    check.queues();
    world.model.queues.values().forEach(check::queue);
    world.born.forEach(check::job);
    new ListCheck(world, pageSize).run();
    SignalSteps.check(world, pageSize);
    check.integrity();
  }

  private void queues() {
    assertThat(Texts.all(engine::queues, pageSize, QueueName::toString))
        .isEqualTo(
            model.queues.keySet().stream()
                .sorted(ModelRules.BY_NAME)
                .map(QueueName::toString)
                .toList());
  }

  private void queue(ModelQueue queue) {
    QueueStats stats = engine.stats(queue.name).orElseThrow();
    Map<JobState, Long> counts = new EnumMap<>(JobState.class);
    for (JobState state : JobState.values()) {
      List<ModelJob> jobs = model.jobs(queue.name, state);
      counts.put(state, (long) jobs.size());
      peek(queue.name, state, jobs);
    }
    assertThat(stats.counts()).as("counts of " + queue.name).isEqualTo(counts);
    assertThat(stats.totals()).as("totals of " + queue.name).isEqualTo(queue.totals);
    assertThat(stats.serving()).isEqualTo(serving(queue));
    assertThat(stats.oldestReadyAge())
        .as("oldest ready age of " + queue.name)
        .isEqualTo(ModelRules.oldestReadyAge(model, queue.name));
    assertThat(engine.queue(queue.name).settings()).isEqualTo(queue.settings);
    assertThat(
            Texts.all(
                page -> engine.deadLetters(queue.name, DeadFilter.ALL, page), pageSize, Job::id))
        .isEqualTo(
            model.jobs(queue.name, JobState.DEAD).stream()
                .map(job -> world.id(job.number))
                .toList());
  }

  private static QueueStats.Serving serving(ModelQueue queue) {
    if (queue.isPaused) {
      return QueueStats.Serving.PAUSED;
    }
    return queue.isDraining ? QueueStats.Serving.DRAINING : QueueStats.Serving.ON;
  }

  private void peek(QueueName queue, JobState state, List<ModelJob> jobs) {
    List<String> expected =
        jobs.stream()
            .map(job -> Texts.of(job, model.queue(queue), world.id(job.number), model.time))
            .toList();
    List<String> found =
        Texts.all(
            page -> engine.peek(queue, state, page),
            pageSize,
            job -> Texts.of(job, isErrorByEngine(jobs, job)));
    if (state == JobState.LEASED) {
      assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
    } else {
      assertThat(found).as(state + " jobs of " + queue).isEqualTo(expected);
    }
  }

  private boolean isErrorByEngine(List<ModelJob> jobs, Job found) {
    return jobs.stream()
        .anyMatch(job -> job.isErrorByEngine && world.id(job.number).equals(found.id()));
  }

  private void job(int number, Born born) {
    JobId id = born.id();
    ModelJob expected = model.jobs.get(number);
    if (expected == null) {
      assertThat(engine.get(id)).as("job " + number + " is gone").isEmpty();
    } else {
      assertThat(engine.get(id).map(job -> Texts.of(job, expected.isErrorByEngine)))
          .contains(Texts.of(expected, model.queue(expected.queue), id, model.time));
      assertThat(Texts.history(engine.get(id).orElseThrow(), expected))
          .as("history of job " + number)
          .isEqualTo(Texts.history(expected));
      boolean isDead = expected.state == JobState.DEAD;
      assertThat(engine.queue(born.queue()).deadLetters().get(id).isPresent()).isEqualTo(isDead);
    }
  }

  private void integrity() {
    VerifyReport report = engine.verify();
    assertThat(report.problems()).isEmpty();
    assertThat(report.isClean()).as("clean: " + report).isTrue();
    assertThat(report.queueCount()).as("queues verified").isEqualTo(model.queues.size());
    assertThat(report.jobCount()).as("jobs verified").isEqualTo(model.jobs.size());
  }
}
