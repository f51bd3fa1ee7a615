package io.millrace.model.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.JobId;
import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.engine.JobEngine;
import io.millrace.internal.format.JobAddress;
import io.millrace.model.Coverage;
import io.millrace.model.ModelJob;
import io.millrace.model.ModelLease;
import io.millrace.model.ReferenceModel;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The model, the engine, and which jobs and leases of the one are which of the other. */
public final class World implements AutoCloseable {

  private static final long ANSWER_SECONDS_MAX = 30;
  private static final QueueName FLUSHED = QueueName.of("flushed");

  final ReferenceModel model;
  final EngineHarness harness;
  final StoreKind kind;
  final Setup setup;

  /** Every job that was ever enqueued, by its number in the model. */
  final Map<Integer, Born> born = new LinkedHashMap<>();

  /** Every lease since the engine was opened. */
  final List<Held> held = new ArrayList<>();

  private final List<Runnable> unchecked = new ArrayList<>();
  boolean wasWallSet;
  private boolean isGrouping;
  private int answerCount;
  private int flushCount;
  private long newestToken;

  /** A job's identity in the engine. */
  record Born(JobId id, QueueName queue) {}

  /** A lease in both. */
  record Held(ModelLease model, Lease engine) {}

  World(StoreKind kind, Path folder, Setup setup, Coverage coverage) {
    this.kind = kind;
    this.setup = setup;
    this.harness = EngineHarness.withSmallSteps(kind, folder, setup);
    this.model = new ReferenceModel(harness.clock().epochMs(), coverage);
  }

  JobEngine engine() {
    return harness.engine();
  }

  /** The engine has given the model's job this id. */
  void bear(ModelJob job, JobId id) {
    Born given = new Born(id, job.queue);
    assertThat(born.values()).as("ids are given once").doesNotContain(given);
    assertThat(JobId.parse(id.toString())).isEqualTo(id);
    born.put(job.number, given);
    job.birth = JobAddress.of(id).orElseThrow().birth();
  }

  JobId id(int number) {
    return born(number).id();
  }

  Born born(int number) {
    return Optional.ofNullable(born.get(number)).orElseThrow();
  }

  /** The job meant by a number: small ones are recent. */
  Optional<Integer> chosenJob(int number) {
    List<Integer> numbers = List.copyOf(born.keySet());
    return numbers.isEmpty()
        ? Optional.empty()
        : Optional.of(numbers.get(numbers.size() - 1 - number % numbers.size()));
  }

  /** The lease meant by a number: small ones are recent. */
  Held chosenLease(int number) {
    return held.get(held.size() - 1 - number % held.size());
  }

  /** Compares leases that the engine granted with those that the model did, and keeps them. */
  void hold(List<ModelLease> expected, List<Lease> leases) {
    List<String> wanted =
        expected.stream().map(lease -> Texts.of(lease, id(lease.job.number), model.time)).toList();
    List<String> got = new ArrayList<>();
    for (int i = 0; i < leases.size(); i++) {
      got.add(Texts.of(leases.get(i), i < expected.size() && expected.get(i).isErrorByEngine));
    }
    assertThat(got).isEqualTo(wanted);
    for (int i = 0; i < leases.size(); i++) {
      noteToken(leases.get(i).token());
      held.add(new Held(expected.get(i), leases.get(i)));
    }
  }

  /** The engine has given a token. */
  void noteToken(long token) {
    assertThat(token).as("a token grows with every lease").isGreaterThan(newestToken);
    newestToken = token;
  }

  /**
   * Asks in one of the two ways and checks the answer; within a group, when the whole group was
   * submitted.
   */
  <T> void answer(Supplier<T> blocking, Supplier<CompletableFuture<T>> async, Consumer<T> check) {
    if (isGrouping) {
      CompletableFuture<T> future = async.get();
      unchecked.add(() -> check.accept(join(future)));
    } else if (++answerCount % 2 == 0) {
      check.accept(join(async.get()));
    } else {
      check.accept(blocking.get());
    }
  }

  /**
   * Submits what the action asks for while the engine is held in a write, so that it finds all of
   * it at once.
   */
  void group(Runnable action) {
    harness.store().holdNextWrite();
    CompletableFuture<?> blocker = CompletableFuture.runAsync(this::flush);
    isGrouping = true;
    try {
      harness.store().awaitHeld();
      action.run();
    } catch (InterruptedException e) {
      throw new IllegalStateException("the test was interrupted", e);
    } finally {
      isGrouping = false;
      harness.store().letGo();
    }
    join(blocker);
    unchecked.forEach(Runnable::run);
    unchecked.clear();
  }

  /**
   * Makes the engine write a commit, and with it the records of the leases that it has granted so
   * far.
   */
  void flush() {
    QueueSettings settings =
        QueueSettings.DEFAULT.leaseDuration(Duration.ofSeconds(30 + ++flushCount % 2));
    model.configure(FLUSHED, settings);
    engine().queue(FLUSHED).configure(held -> settings);
  }

  static <T> T join(CompletableFuture<T> future) {
    try {
      return future.get(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("no answer within " + ANSWER_SECONDS_MAX + " s", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new AssertionError("the request failed", e.getCause());
    } catch (InterruptedException e) {
      throw new IllegalStateException("the test was interrupted", e);
    }
  }

  public static ClaimOptions by(int worker) {
    return ClaimOptions.by("worker-" + worker);
  }

  @Override
  public void close() {
    harness.close();
  }
}
