package io.millrace.model.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.CancelResult;
import io.millrace.api.DeadLetters.Checkpointed;
import io.millrace.api.Durability;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueResult;
import io.millrace.api.Enqueued;
import io.millrace.api.JobId;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.RedriveResult;
import io.millrace.api.RescheduleResult;
import io.millrace.api.UpdateOptions;
import io.millrace.api.UpdateResult;
import io.millrace.engine.JobEngine;
import io.millrace.model.ModelEnqueued;
import io.millrace.model.ModelQueue;
import io.millrace.model.history.Histories;
import io.millrace.model.history.JobShape;
import io.millrace.model.history.Op;
import io.millrace.model.outage.Question.Kind;
import io.millrace.model.outage.Question.Terms;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntConsumer;

/** What is asked about jobs that are new, or named. */
final class JobQuestions {

  private JobQuestions() {}

  static Question<List<EnqueueResult>> enqueue(SeededWorld world, SeededCall.Enqueue call) {
    QueueName queue = Histories.queue(call.queue());
    EnqueueOptions shaped = call.shape().options(world.wallMs());
    List<NewJob> jobs = new ArrayList<>();
    for (int i = 0; i < call.count(); i++) {
      int marker = world.nextMarker();
      Map<String, String> headers = new LinkedHashMap<>(shaped.headers());
      headers.put(SeededWorld.MARKER, Integer.toString(marker));
      jobs.add(new NewJob(call.shape().payload(marker), shaped.headers(headers)));
    }
    List<ModelEnqueued> first = new ArrayList<>();
    return new Question<>(
        new Terms(Kind.GROWS, call.level()),
        seeded -> enqueueAsync(world, queue, call.level(), jobs),
        (model, told) -> enqueued(world, queue, jobs, model, first));
  }

  private static CompletableFuture<List<EnqueueResult>> enqueueAsync(
      SeededWorld world, QueueName queue, Durability level, List<NewJob> jobs) {
    if (jobs.size() > 1) {
      return world.queue(queue, level).offerAllAsync(jobs);
    }
    NewJob job = jobs.get(0);
    return world.queue(queue, level).offerAsync(job.payload(), job.options()).thenApply(List::of);
  }

  /**
   * The enqueue in the model. What was a duplicate stays one when the model is built again: the
   * lease that kept its holder from being replaced may have been lost, for it had no row yet.
   *
   * @param first what came of it the first time; empty until then
   */
  private static Consumer<List<EnqueueResult>> enqueued(
      SeededWorld world,
      QueueName name,
      List<NewJob> jobs,
      SeededModel model,
      List<ModelEnqueued> first) {
    List<ModelEnqueued> wanted = new ArrayList<>();
    model.model.slots.call(
        () -> {
          for (int i = 0; i < jobs.size(); i++) {
            boolean wasDuplicate = !first.isEmpty() && first.get(i).holder().isPresent();
            NewJob job = jobs.get(i);
            wanted.add(
                wasDuplicate ? first.get(i) : model.enqueue(name, job.payload(), job.options()));
          }
        });
    if (first.isEmpty()) {
      first.addAll(wanted);
    }
    ModelQueue queue = model.model.queue(name);
    EnqueueResult refusal =
        queue.isDraining
            ? new EnqueueResult.Draining(name)
            : new EnqueueResult.QueueFull(name, queue.settings.depthMax().orElse(-1));
    return results -> {
      assertThat(results).hasSameSizeAs(wanted);
      for (int i = 0; i < results.size(); i++) {
        EnqueueResult result = results.get(i);
        if (wanted.get(i).isRefused()) {
          assertThat(result).isEqualTo(refusal);
        } else {
          assertThat(result).isInstanceOf(Enqueued.class);
          told(world, name, wanted.get(i), result.orThrow());
        }
      }
    };
  }

  /** Compares the answer, and learns the ids of jobs that nobody was told of before. */
  private static void told(
      SeededWorld world, QueueName queue, ModelEnqueued wanted, Enqueued answer) {
    wanted.job().ifPresent(job -> world.bind(job.number, queue, answer.jobId()));
    wanted.holder().ifPresent(number -> world.learn(number, queue, answer.jobId()));
    wanted
        .replaced()
        .ifPresent(number -> world.learn(number, queue, answer.replaced().orElseThrow()));
    assertThat(answer)
        .isEqualTo(wanted.answer(answer.jobId(), number -> world.id(number).orElseThrow()));
  }

  static Question<CancelResult> cancel(SeededWorld world, int number, Durability level) {
    JobId id = world.id(number).orElseThrow();
    return blocking(
        new Terms(Kind.FREES, level),
        engine -> engine.with(level).cancelIfWaiting(id),
        model -> model.model.operator.cancel(number));
  }

  static Question<CancelResult> requestCancel(SeededWorld world, int number) {
    JobId id = world.id(number).orElseThrow();
    return blocking(
        new Terms(Kind.FREES, world.setup.durability()),
        engine -> engine.cancel(id),
        model -> model.model.changes.requestCancel(number));
  }

  static Question<RescheduleResult> reschedule(SeededWorld world, int number, int seconds) {
    JobId id = world.id(number).orElseThrow();
    Instant visibleAt = Instant.ofEpochMilli(world.wallMs()).plusSeconds(seconds);
    return blocking(
        new Terms(Kind.GROWS, world.setup.durability()),
        engine -> engine.reschedule(id, visibleAt),
        model -> model.model.changes.reschedule(number, visibleAt.toEpochMilli()));
  }

  static Question<UpdateResult> update(SeededWorld world, int number, SeededCall.Update call) {
    JobId id = world.id(number).orElseThrow();
    UpdateOptions changes = changes(call, world);
    return blocking(
        new Terms(Kind.GROWS, world.setup.durability()),
        engine -> engine.update(id, changes),
        model -> model.model.changes.update(number, changes));
  }

  private static UpdateOptions changes(SeededCall.Update call, SeededWorld world) {
    JobShape shape = call.shape();
    UpdateOptions changes = UpdateOptions.NOTHING;
    for (Op.Field field : call.fields()) {
      changes =
          switch (field) {
            case PRIORITY -> changes.priority(shape.priority());
            case WEIGHT -> changes.weight(shape.weight());
            case PAYLOAD -> changes.payload(shape.payload(world.nextMarker()));
            case MAX_ATTEMPTS -> changes.maxAttempts(shape.maxAttempts());
            case BACKOFF -> changes.backoff(JobShape.BACKOFFS.get(shape.backoff()));
            case LEASE -> shape.leaseOptions().map(changes::leaseDuration).orElse(changes);
            // The marker stays, by which the job is known.
            case HEADERS -> changes;
          };
    }
    return changes;
  }

  static Question<RedriveResult> redrive(SeededWorld world, int number) {
    JobId id = world.id(number).orElseThrow();
    QueueName queue = world.queueOf(number);
    return new Question<>(
        new Terms(Kind.GROWS, world.setup.durability()),
        seeded -> {
          JobEngine engine = seeded.engine();
          return seeded.ask(() -> engine.queue(queue).deadLetters().redrive(id));
        },
        (model, told) -> {
          int[] holder = new int[1];
          RedriveResult expected = redriven(model, number, other -> holder[0] = other);
          return answer -> {
            if (answer instanceof RedriveResult.Duplicate duplicate) {
              assertThat(expected).isInstanceOf(RedriveResult.Duplicate.class);
              // The enqueue of that job may be answered after this, or never.
              world.learn(holder[0], queue, duplicate.holder());
              assertThat(world.id(holder[0])).contains(duplicate.holder());
            } else {
              assertThat(answer).isEqualTo(expected);
            }
          };
        });
  }

  /** A redrive in the model, which tells the number of the job that has the key. */
  static RedriveResult redriven(SeededModel model, int number, IntConsumer holder) {
    return model.model.operator.redrive(
        number,
        Checkpointed.KEEP,
        other -> {
          holder.accept(other);
          return new JobId(0, 0);
        });
  }

  static Question<Boolean> deleteDead(SeededWorld world, int number) {
    JobId id = world.id(number).orElseThrow();
    QueueName queue = world.queueOf(number);
    return blocking(
        new Terms(Kind.FREES, world.setup.durability()),
        engine -> engine.queue(queue).deadLetters().delete(id),
        model -> model.model.operator.deleteDead(number));
  }

  /** A blocking call whose answer must be the model's. */
  static <T> Question<T> blocking(
      Terms terms, Function<JobEngine, T> call, Function<SeededModel, T> effect) {
    return new Question<>(
        terms,
        seeded -> {
          JobEngine engine = seeded.engine();
          return seeded.ask(() -> call.apply(engine));
        },
        (model, told) -> {
          T expected = effect.apply(model);
          return answer -> assertThat(answer).isEqualTo(expected);
        });
  }
}
