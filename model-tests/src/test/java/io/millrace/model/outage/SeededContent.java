package io.millrace.model.outage;

import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.api.QueueStats.Serving;
import io.millrace.engine.JobEngine;
import io.millrace.model.ModelJob;
import io.millrace.model.ModelQueue;
import io.millrace.model.ModelRules;
import io.millrace.model.ReferenceModel;
import io.millrace.model.history.Texts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All queues and jobs as lines of text: of a model, and of an engine as a model explains it. */
final class SeededContent {

  private static final PageRequest ALL = PageRequest.first(1_000);
  private static final JobId UNKNOWN = new JobId(0, 0);

  private SeededContent() {}

  static List<String> of(SeededModel seeded, SeededWorld world) {
    ReferenceModel model = seeded.model;
    List<String> lines = new ArrayList<>();
    for (QueueName name : model.queues.keySet().stream().sorted(ModelRules.BY_NAME).toList()) {
      ModelQueue queue = model.queue(name);
      Map<JobState, Long> counts = new EnumMap<>(JobState.class);
      List<String> jobs = new ArrayList<>();
      for (JobState state : JobState.values()) {
        List<ModelJob> found = model.jobs(name, state);
        counts.put(state, (long) found.size());
        jobs.addAll(sorted(state, found.stream().map(job -> text(job, world, model)).toList()));
      }
      lines.add(
          name
              + " "
              + counts
              + queue.totals
              + serving(queue)
              + queue.settings
              + ModelRules.oldestReadyAge(model, name));
      lines.addAll(jobs);
    }
    return lines;
  }

  private static Serving serving(ModelQueue queue) {
    if (queue.isPaused) {
      return Serving.PAUSED;
    }
    return queue.isDraining ? Serving.DRAINING : Serving.ON;
  }

  private static String text(ModelJob job, SeededWorld world, ReferenceModel model) {
    JobId id = world.id(job.number).orElse(UNKNOWN);
    return Texts.of(job, model.queue(job.queue), id, model.time) + Texts.history(job);
  }

  /** Which leased job comes first is no promise. */
  private static List<String> sorted(JobState state, List<String> texts) {
    List<String> sorted = new ArrayList<>(texts);
    if (state == JobState.LEASED) {
      Collections.sort(sorted);
    }
    return sorted;
  }

  /**
   * The same of an engine. Jobs whose ids nobody was told become known by their markers.
   *
   * @param seeded says for which jobs the engine chose the words of an error
   */
  static List<String> of(JobEngine engine, SeededModel seeded, SeededWorld world) {
    Map<JobId, ModelJob> known = new HashMap<>();
    for (ModelJob job : seeded.model.jobs.values()) {
      world.id(job.number).ifPresent(id -> known.put(id, job));
    }
    List<String> lines = new ArrayList<>();
    for (QueueName name : engine.queues(ALL).items()) {
      QueueStats stats = engine.stats(name).orElseThrow();
      lines.add(
          name
              + " "
              + new EnumMap<>(stats.counts())
              + new EnumMap<>(stats.totals())
              + stats.serving()
              + engine.queue(name).settings()
              + stats.oldestReadyAge());
      for (JobState state : JobState.values()) {
        if (stats.count(state) > 0) {
          List<String> jobs = new ArrayList<>();
          for (Job job : engine.peek(name, state, ALL).items()) {
            Optional<ModelJob> meant =
                Optional.ofNullable(known.get(job.id())).or(() -> newlyMet(job, seeded, world));
            jobs.add(text(engine, job, meant));
          }
          lines.addAll(sorted(state, jobs));
        }
      }
    }
    return lines;
  }

  private static Optional<ModelJob> newlyMet(Job job, SeededModel seeded, SeededWorld world) {
    String marker = job.headers().get(SeededWorld.MARKER);
    Optional<ModelJob> meant =
        seeded.model.jobs.values().stream()
            .filter(known -> known.options.headers().get(SeededWorld.MARKER).equals(marker))
            .filter(known -> world.id(known.number).isEmpty())
            .findFirst();
    meant.ifPresent(known -> world.bind(known.number, known.queue, job.id()));
    return meant;
  }

  private static String text(JobEngine engine, Job job, Optional<ModelJob> meant) {
    boolean isErrorByEngine = meant.filter(known -> known.isErrorByEngine).isPresent();
    return Texts.of(job, isErrorByEngine)
        + meant.map(known -> history(engine, job, known).toString()).orElse(" unknown");
  }

  /** Only a job that is asked for by its id comes with its history. */
  private static List<String> history(JobEngine engine, Job job, ModelJob meant) {
    return engine.get(job.id()).map(whole -> Texts.history(whole, meant)).orElse(List.of("gone"));
  }
}
