package io.millrace.model.outage;

import io.millrace.api.DeadFilter;
import io.millrace.api.DeadLetters;
import io.millrace.api.DrainResult;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.QueueSettings.Expiry;
import io.millrace.model.ModelJob;
import io.millrace.model.history.Histories;
import io.millrace.model.history.Op.Sweep;
import io.millrace.model.outage.Question.Kind;
import io.millrace.model.outage.Question.Terms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What is asked about whole queues. */
final class QueueQuestions {

  private static final QueueName FLUSHED = QueueName.of("flushed");

  private QueueQuestions() {}

  /** A change that is never the same twice in a row. */
  static Question<Boolean> flush(SeededWorld world, int count) {
    QueueSettings settings =
        QueueSettings.DEFAULT.leaseDuration(Duration.ofSeconds(30 + count % 2));
    return configure(world, FLUSHED, settings);
  }

  static Question<Long> sweepDead(SeededWorld world, SeededCall.SweepDead call) {
    QueueName queue = Histories.queue(call.queue());
    boolean isRedrive = call.sweep() == Sweep.REDRIVE;
    return JobQuestions.blocking(
        terms(world, isRedrive ? Kind.GROWS : Kind.FREES),
        engine -> {
          DeadLetters dead = engine.queue(queue).deadLetters();
          return isRedrive ? dead.redriveAll(DeadFilter.ALL) : dead.deleteAll(DeadFilter.ALL);
        },
        model -> {
          List<ModelJob> dead = model.model.operator.deadLetters(queue, DeadFilter.ALL);
          long count = 0;
          for (ModelJob job : dead) {
            boolean isDone =
                isRedrive
                    ? JobQuestions.redriven(model, job.number, holder -> {}).isDone()
                    : model.model.operator.deleteDead(job.number);
            count += isDone ? 1 : 0;
          }
          return count;
        });
  }

  static Question<Boolean> configure(SeededWorld world, SeededCall.Configure call) {
    return configure(world, Histories.queue(call.queue()), settings(call));
  }

  private static Question<Boolean> configure(
      SeededWorld world, QueueName queue, QueueSettings settings) {
    return JobQuestions.blocking(
        terms(world, Kind.GROWS),
        engine -> {
          engine.queue(queue).configure(held -> settings);
          return true;
        },
        model -> {
          model.model.configure(queue, settings);
          return true;
        });
  }

  private static QueueSettings settings(SeededCall.Configure call) {
    QueueSettings settings =
        QueueSettings.DEFAULT.expiry(
            call.isExpiryWithBackoff() ? Expiry.BACKOFF : Expiry.READY_AT_ONCE);
    if (call.leaseSeconds() > 0) {
      settings = settings.leaseDuration(Duration.ofSeconds(call.leaseSeconds()));
    }
    if (call.depthMax() > 0) {
      settings = settings.depthMax(call.depthMax());
    }
    if (call.keepSeconds() > 0) {
      settings = settings.resultRetention(Duration.ofSeconds(call.keepSeconds()));
    }
    if (call.keepDeadSeconds() > 0) {
      settings = settings.deadRetention(Duration.ofSeconds(call.keepDeadSeconds()));
    }
    return settings;
  }

  static Question<Boolean> serve(SeededWorld world, QueueName queue, boolean isPaused) {
    return JobQuestions.blocking(
        terms(world, Kind.FREES),
        engine -> {
          JobQueue served = engine.queue(queue);
          if (isPaused) {
            served.pause();
          } else {
            served.resume();
          }
          return true;
        },
        model -> {
          model.model.setPaused(queue, isPaused);
          return true;
        });
  }

  static Question<DrainResult> drain(SeededWorld world, QueueName queue, boolean isDraining) {
    return JobQuestions.blocking(
        terms(world, Kind.FREES),
        engine -> {
          JobQueue drained = engine.queue(queue);
          if (isDraining) {
            return drained.drain(Duration.ZERO);
          }
          drained.endDrain();
          return DrainResult.EMPTY;
        },
        model -> {
          model.model.setDraining(queue, isDraining);
          boolean isOver = !isDraining || !model.model.hasWork(queue);
          return isOver ? DrainResult.EMPTY : DrainResult.DRAINING;
        });
  }

  static Question<Long> purge(SeededWorld world, QueueName queue, JobState state) {
    return JobQuestions.<Long>blocking(
            terms(world, Kind.FREES),
            engine -> engine.queue(queue).purge(EnumSet.of(state)),
            model -> (long) model.model.operator.purge(queue, EnumSet.of(state)))
        .inSteps(model -> purgeSteps(model, queue, state));
  }

  /** Lines of different priorities are purged one after the other. */
  private static List<Consumer<SeededModel>> purgeSteps(
      SeededModel model, QueueName queue, JobState state) {
    List<ModelJob> jobs = model.model.jobs(queue, state);
    if (state != JobState.READY) {
      List<Integer> all = jobs.stream().map(job -> job.number).toList();
      return all.isEmpty() ? List.of() : List.of(purging(all, state));
    }
    Map<Integer, List<Integer>> lines = new LinkedHashMap<>();
    for (ModelJob job : jobs) {
      lines.computeIfAbsent(job.options.priority(), priority -> new ArrayList<>()).add(job.number);
    }
    return lines.values().stream().map(line -> purging(line, state)).toList();
  }

  private static Consumer<SeededModel> purging(List<Integer> jobs, JobState state) {
    return model ->
        model.model.slots.call(() -> jobs.forEach(number -> model.purge(number, state)));
  }

  static Question<Boolean> delete(SeededWorld world, QueueName queue) {
    return JobQuestions.blocking(
        terms(world, Kind.FREES),
        engine -> engine.queue(queue).delete(),
        model -> model.model.operator.deleteQueue(queue));
  }

  private static Terms terms(SeededWorld world, Kind kind) {
    return new Terms(kind, world.setup.durability());
  }
}
