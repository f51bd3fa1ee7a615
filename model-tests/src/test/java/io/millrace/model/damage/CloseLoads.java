package io.millrace.model.damage;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;

import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.Completion;
import io.millrace.api.DeadFilter;
import io.millrace.api.DeadLetters;
import io.millrace.api.EngineClosedException;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Enqueued;
import io.millrace.api.FailOptions;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.PageRequest;
import io.millrace.api.UpdateOptions;
import io.millrace.engine.JobEngine;
import io.millrace.management.JobEngineMBean;
import io.millrace.model.damage.CloseRound.Call;
import io.millrace.model.rig.Dropped;
import java.lang.management.ManagementFactory;
import java.lang.reflect.UndeclaredThrowableException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** What callers do with an engine that is about to be closed. */
final class CloseLoads {

  private static final PageRequest PAGE = PageRequest.first(50);

  /** Nobody removes jobs of it but by completing them. */
  static final String KEPT = "kept";

  private final CloseRound round;
  private final JobEngine engine;
  private final JobQueue kept;
  private final JobQueue wild;
  private final Path backups;

  /** Loads of a round; backups go into the folder. */
  CloseLoads(CloseRound round, Path backups) {
    this.round = round;
    this.engine = round.engine();
    this.kept = engine.queue(KEPT);
    this.wild = engine.queue("wild");
    this.backups = backups;
  }

  List<Call> all() {
    return List.of(
        this::enqueue,
        this::claimAndEnd,
        this::handBack,
        this::look,
        this::manage,
        this::verifyAndCopy,
        this::callAsync,
        this::lookFromOutside);
  }

  private void enqueue(Random random) {
    EnqueueOptions options =
        EnqueueOptions.DEFAULT.priority(random.nextInt(3)).resultRetention(ofSeconds(1));
    switch (random.nextInt(3)) {
      case 0 -> round.acknowledge(kept.enqueue(CloseRound.payload(random)).jobId());
      case 1 -> Dropped.result(wild.offer(new byte[3_000], options));
      default ->
          kept.enqueueAll(
                  List.of(NewJob.of(CloseRound.payload(random)), NewJob.of(new byte[2_000])))
              .forEach(result -> round.acknowledge(result.jobId()));
    }
  }

  private void claimAndEnd(Random random) {
    ClaimOptions claim = ClaimOptions.by("ender").max(1 + random.nextInt(3)).waiting(ofSeconds(60));
    List<Lease> leases = kept.claim(claim);
    leases.forEach(lease -> round.end(lease.jobId()));
    switch (random.nextInt(3)) {
      case 0 -> ended(leases, engine.completeAll(leases));
      case 1 -> {
        List<Completion> completions =
            leases.stream().map(lease -> new Completion(lease, new byte[5])).toList();
        ended(leases, engine.completeAllWithResults(completions));
      }
      default -> leases.forEach(lease -> round.ended(lease.jobId(), lease.complete()));
    }
  }

  private void ended(List<Lease> leases, List<CompleteResult> results) {
    for (int i = 0; i < leases.size(); i++) {
      round.ended(leases.get(i).jobId(), results.get(i));
    }
  }

  private void handBack(Random random) {
    ClaimOptions claim = ClaimOptions.by("giver").max(4).waiting(ofMillis(5));
    List<Lease> leases = engine.claim(List.of(kept.name(), wild.name()), claim);
    for (Lease lease : leases) {
      boolean isKept = lease.queue().equals(kept.name());
      switch (random.nextInt(isKept ? 4 : 7)) {
        case 0 -> Dropped.result(lease.extend(ofSeconds(100)));
        case 1 -> Dropped.result(lease.snooze(ofMillis(1)));
        case 2 -> Dropped.result(lease.release());
        case 3 -> lease.close();
        case 4 -> Dropped.result(lease.checkpoint(new byte[random.nextInt(4_000)]));
        case 5 -> Dropped.result(lease.fail("broken", FailOptions.PERMANENT));
        default -> Dropped.result(lease.complete(new byte[10]));
      }
    }
    Dropped.result(engine.extendAll(leases, ofSeconds(50)));
    if (random.nextBoolean()) {
      Dropped.result(engine.releaseAll(leases));
    } else {
      Dropped.result(engine.failAll(leases, "all broken", FailOptions.RETRY));
    }
  }

  private void look(Random random) {
    engine.queues(PAGE);
    engine.stats(kept.name());
    engine.list(JobFilter.ALL, PAGE);
    engine.activeQueues(Instant.now(), PAGE);
    engine.nextVisible(wild.name());
    JobState state = JobState.values()[random.nextInt(JobState.values().length)];
    engine.peek(wild.name(), state, PAGE).items().forEach(job -> engine.get(job.id()));
    engine.deadLetters(wild.name(), DeadFilter.ALL, PAGE);
    engine.metrics();
    engine.health();
    kept.settings();
  }

  private void manage(Random random) {
    switch (random.nextInt(10)) {
      case 0 -> wild.configure(settings -> settings.depthMax(1_000));
      case 1 -> wild.pause();
      case 2 -> wild.resume();
      case 3 -> wild.purge(EnumSet.of(JobState.READY, JobState.DEAD));
      case 4 -> wild.delete();
      case 5 -> wild.deadLetters().redriveAll(DeadFilter.ALL);
      case 6 -> Dropped.result(wild.drain(ofMillis(1)));
      case 7 -> tendDeadLetters(random);
      case 8 -> engine.reopen();
      default -> {
        wild.endDrain();
        wild.peek(JobState.READY, PAGE).items().forEach(job -> change(job.id(), random));
      }
    }
  }

  private void tendDeadLetters(Random random) {
    DeadLetters dead = wild.deadLetters();
    for (Job job : dead.list(DeadFilter.ALL, PAGE).items()) {
      dead.get(job.id());
      if (random.nextBoolean()) {
        Dropped.result(dead.redrive(job.id()));
      } else {
        dead.delete(job.id());
      }
    }
    dead.deleteAll(DeadFilter.ALL);
  }

  private void change(JobId id, Random random) {
    switch (random.nextInt(4)) {
      case 0 -> Dropped.result(engine.cancelIfWaiting(id));
      case 1 -> Dropped.result(engine.reschedule(id, Instant.now().plusMillis(2)));
      case 2 ->
          Dropped.result(engine.update(id, UpdateOptions.NOTHING.priority(random.nextInt(5))));
      default -> Dropped.result(engine.cancel(id));
    }
  }

  private void verifyAndCopy(Random random) throws Exception {
    if (!engine.verify().problems().isEmpty()) {
      round.violation("verify: " + engine.verify().problems());
    }
    Path backup = backups.resolve("backup-" + random.nextInt(Integer.MAX_VALUE));
    try {
      engine.backup(backup);
    } finally {
      Specimen.delete(backup);
    }
  }

  private void callAsync(Random random) {
    CompletableFuture<Enqueued> enqueued =
        round.watch(kept.enqueueAsync(CloseRound.payload(random), EnqueueOptions.DEFAULT));
    // Dependents first, so that whoever sees the future done finds the job acknowledged.
    round.watch(enqueued.thenAccept(result -> round.acknowledge(result.jobId())));
    round.watch(wild.offerAllAsync(List.of(NewJob.of(new byte[3]), NewJob.of(new byte[2_000]))));
    ClaimOptions claim = ClaimOptions.by("async").max(4).waiting(ofSeconds(60));
    CompletableFuture<List<Lease>> claimed =
        round.watch(
            random.nextBoolean()
                ? wild.claimAsync(claim)
                : engine.claimAsync(List.of(wild.name()), claim));
    if (random.nextInt(2) == 0) {
      claimed.cancel(false);
    } else {
      int way = random.nextInt(6);
      round.watch(claimed.thenCompose(leases -> endAll(leases, way)));
    }
    if (random.nextInt(20) == 0) {
      join(enqueued);
    }
  }

  private CompletableFuture<?> endAll(List<Lease> leases, int way) {
    CompletableFuture<?> ended =
        switch (way) {
          case 0 -> engine.failAllAsync(leases, "broken", FailOptions.RETRY);
          case 1 -> engine.extendAllAsync(leases, ofSeconds(60));
          case 2 -> engine.releaseAllAsync(leases);
          case 3 ->
              engine.completeAllWithResultsAsync(
                  leases.stream().map(lease -> new Completion(lease, new byte[1])).toList());
          default -> engine.completeAllAsync(leases);
        };
    return leases.isEmpty() ? ended : ended.thenCombine(end(leases.get(0), way), (a, b) -> a);
  }

  private static CompletableFuture<?> end(Lease lease, int way) {
    return switch (way) {
      case 0 -> lease.completeAsync();
      case 1 -> lease.failAsync("broken", FailOptions.RETRY);
      case 2 -> lease.extendAsync(ofSeconds(1));
      case 3 -> lease.completeAsync(new byte[2]);
      default -> lease.releaseAsync();
    };
  }

  private static void join(CompletableFuture<?> future) {
    try {
      future.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  /** As a console does, which is not told that the engine is closed but that it is not there. */
  private void lookFromOutside(Random random) throws JMException {
    JobEngineMBean bean = bean();
    try {
      bean.getMetrics();
      bean.getHealth();
      bean.queues(null);
      bean.peek(KEPT, "", JobState.READY.name(), null);
      bean.queue(KEPT, "");
      if (random.nextInt(10) == 0) {
        bean.verify();
      }
    } catch (UndeclaredThrowableException e) {
      if (e.getCause() instanceof InstanceNotFoundException) {
        throw new EngineClosedException("bean is gone", e);
      }
      throw e;
    } catch (IllegalStateException e) {
      // What a bean throws is of the JDK, and names ours.
      if (String.valueOf(e.getMessage()).startsWith("EngineClosedException: ")) {
        throw new EngineClosedException("bean says so", e);
      }
      throw e;
    }
  }

  private static JobEngineMBean bean() throws JMException {
    ObjectName pattern = new ObjectName(JobEngineMBean.DOMAIN + ":*");
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    for (ObjectName name : server.queryNames(pattern, null)) {
      return JMX.newMBeanProxy(server, name, JobEngineMBean.class);
    }
    throw new EngineClosedException("there is no bean");
  }
}
