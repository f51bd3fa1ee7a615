package io.millrace.model.damage;

import io.millrace.MillraceException;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.DeadFilter;
import io.millrace.api.EngineClock;
import io.millrace.api.EngineHealth;
import io.millrace.api.EngineOptions;
import io.millrace.api.Job;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.VerifyReport;
import io.millrace.api.Wake;
import io.millrace.engine.JobEngine;
import io.millrace.engine.StorePlace;
import io.millrace.model.damage.Contents.Entry;
import io.millrace.model.damage.Contents.Fate;
import io.millrace.spi.StoreOptions.LostCommits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Opens a store that may be damaged, works all of its jobs, and says what became of them, and what
 * its user was told.
 */
final class DamagedStore {

  /** Claims that may fail one after the other before a queue is given up. */
  private static final int FAILED_CLAIMS_MAX = 20;

  private final List<Entry> jobs;
  private final Set<String> told = new HashSet<>();
  private final Set<String> toldByVerify = new HashSet<>();
  private final Map<String, Integer> served = new HashMap<>();
  private final Set<String> dead = new HashSet<>();
  private final Set<String> done = new HashSet<>();
  private final Set<String> noted = new HashSet<>();
  private final Set<String> unsignalled = new HashSet<>();

  /** Batches that are not what they were, which somebody must be told. */
  private final List<String> wrongBatches = new ArrayList<>();

  private final List<String> wrong = new ArrayList<>();

  DamagedStore(List<Entry> jobs) {
    this.jobs = jobs;
  }

  /** Whether it is verified before it is worked or after. */
  enum Order {
    VERIFIED_FIRST,
    WORKED_FIRST
  }

  /** A clock that has gone on for twice the delay of the delayed jobs. */
  private static final class LaterClock implements EngineClock {
    @Override
    public long epochMs() {
      return EngineClock.SYSTEM.epochMs() + 2 * Contents.DELAY.toMillis();
    }

    @Override
    public long monotonicNs() {
      return EngineClock.SYSTEM.monotonicNs();
    }

    @Override
    public void parkNs(long durationNs) {
      EngineClock.SYSTEM.parkNs(durationNs);
    }
  }

  Verdict examine(StorePlace place, LostCommits lostCommits, Order order) {
    EngineOptions options = EngineOptions.DEFAULT.clock(new LaterClock());
    JobEngine engine;
    try {
      engine = JobEngine.open(place.factory(), place.options().lostCommits(lostCommits), options);
    } catch (MillraceException e) {
      return new Verdict(Verdict.Kind.REFUSED, e.toString());
    }
    try {
      if (order == Order.VERIFIED_FIRST) {
        verify(engine);
      }
      work(engine);
      if (order == Order.WORKED_FIRST) {
        verify(engine);
      }
      if (engine.health().status() != EngineHealth.Status.UP) {
        told.add("health is " + engine.health().status());
      }
    } finally {
      telling(
          told,
          () -> {
            engine.close();
            return true;
          });
    }
    return verdict();
  }

  private void verify(JobEngine engine) {
    Optional<VerifyReport> report = telling(toldByVerify, engine::verify);
    report
        .filter(found -> !found.isClean())
        .ifPresent(
            found ->
                toldByVerify.add(
                    found.problems().isEmpty()
                        ? "quarantined: " + found.quarantinedCount()
                        : found.problems().get(0).toString()));
    long setAside = engine.metrics().setAsideCount();
    if (setAside > 0) {
      told.add("set aside: " + setAside);
    }
  }

  private void work(JobEngine engine) {
    DamagedBatches batches = new DamagedBatches(engine);
    telling(told, batches::seal).ifPresent(all -> {});
    List<QueueName> queues = new ArrayList<>(Contents.QUEUES);
    queues.addAll(List.of(DamagedBatches.PARTS, DamagedBatches.PARTS, DamagedBatches.AFTER));
    for (QueueName queue : queues) {
      for (int failures = 0; failures < FAILED_CLAIMS_MAX; failures++) {
        telling(told, () -> serveAll(engine, queue)).ifPresent(all -> {});
      }
      telling(told, () -> lookAtDead(engine, queue));
    }
    for (Entry job : jobs) {
      if (job.fate() == Fate.DONE) {
        telling(told, () -> lookAtDone(engine, job));
      }
      if (job.isNoted()) {
        telling(told, () -> lookAtNote(engine, job));
      }
    }
    telling(told, () -> lookAtBatches(batches));
    if (engine.metrics().setAsideCount() > 0) {
      told.add("set aside: " + engine.metrics().setAsideCount());
    }
  }

  private boolean lookAtBatches(DamagedBatches batches) {
    wrong.addAll(batches.wrongResults());
    wrong.addAll(batches.wrongCounts());
    wrongBatches.addAll(batches.lostResults());
    wrongBatches.addAll(batches.deviations(jobs));
    return true;
  }

  private boolean serveAll(JobEngine engine, QueueName queue) {
    ClaimOptions few = ClaimOptions.by("examiner").max(7);
    for (List<Lease> leases = engine.queue(queue).claim(few);
        !leases.isEmpty();
        leases = engine.queue(queue).claim(few)) {
      for (Lease lease : leases) {
        String name = nameOf(lease.payload());
        if (isToWait(name, lease)) {
          lease.waitFor(Contents.SIGNAL, Duration.ZERO).orThrow();
          continue;
        }
        lookAtSignal(name, lease.wake());
        if (name.contains(DamagedBatches.AFTER_MARK)) {
          telling(told, () -> new DamagedBatches(engine).early(name, lease.wake()))
              .flatMap(early -> early)
              .ifPresent(wrong::add);
        }
        boolean isWhole = lease.headers().equals(Contents.HEADERS);
        served.merge(isWhole ? name : Labels.WRONG, 1, Integer::sum);
        lease.complete().orThrow();
      }
    }
    return true;
  }

  /** Whether it has a signal that it was not told of yet. */
  private static boolean isToWait(String name, Lease lease) {
    return name.startsWith(Contents.EARLY) && lease.wake().signal().isEmpty();
  }

  private void lookAtSignal(String name, Wake wake) {
    if (name.startsWith(Contents.EARLY) || name.startsWith(Contents.WOKEN)) {
      Wake.Signalled right = new Wake.Signalled(Contents.SIGNAL, Labels.payload(name));
      if (wake instanceof Wake.Signalled && !wake.equals(right)) {
        wrong.add("signal of " + name);
      }
      if (!wake.equals(right)) {
        unsignalled.add(name);
      }
    }
  }

  private boolean lookAtNote(JobEngine engine, Entry job) {
    Optional<byte[]> note = engine.table(Contents.NOTES, Codec.TEXT, Codec.BYTES).get(job.name());
    note.ifPresent(
        bytes -> {
          if (!nameOf(bytes).equals(job.name())) {
            wrong.add("note of " + job.name());
          }
          noted.add(job.name());
        });
    return true;
  }

  private boolean lookAtDead(JobEngine engine, QueueName queue) {
    Optional<PageRequest> next = Optional.of(PageRequest.first(50));
    while (next.isPresent()) {
      Page<Job> page = engine.deadLetters(queue, DeadFilter.ALL, next.get());
      for (Job job : page.items()) {
        String name = nameOf(job.payload());
        if (!job.lastError().equals(Optional.of(Contents.ERROR))) {
          wrong.add("error of " + name + ": " + job.lastError());
        }
        dead.add(name);
      }
      next = page.next().map(cursor -> PageRequest.after(cursor, 50));
    }
    return true;
  }

  private boolean lookAtDone(JobEngine engine, Entry job) {
    Optional<Job> found = engine.get(job.id());
    if (found.isPresent() && found.get().state() == JobState.DONE) {
      // Where its completion was lost we have served it ourselves, without a result.
      boolean isTheirs = !served.containsKey(job.name());
      byte[] result = found.get().result().orElse(new byte[0]);
      if (isTheirs && !Arrays.equals(result, Contents.RESULT)) {
        wrong.add("result of " + job.name());
      }
      done.add(nameOf(found.get().payload()));
    }
    return true;
  }

  private String nameOf(byte[] payload) {
    String name = Labels.name(payload);
    if (name.equals(Labels.WRONG)) {
      wrong.add(name + " of " + payload.length + " bytes");
    }
    return name;
  }

  private <T> Optional<T> telling(Set<String> tellings, Supplier<T> call) {
    try {
      return Optional.ofNullable(call.get());
    } catch (MillraceException e) {
      tellings.add(e.toString());
      return Optional.empty();
    } catch (RuntimeException | Error e) {
      wrong.add("unexpected " + e);
      return Optional.empty();
    }
  }

  private Verdict verdict() {
    List<String> deviations = new ArrayList<>(wrongBatches);
    Set<String> names = new HashSet<>();
    for (Entry job : jobs) {
      names.add(job.name());
      int servedCount = served.getOrDefault(job.name(), 0);
      boolean isRight =
          servedCount == (job.fate() == Fate.SERVED ? 1 : 0)
              && dead.contains(job.name()) == (job.fate() == Fate.DEAD)
              && done.contains(job.name()) == (job.fate() == Fate.DONE)
              && noted.contains(job.name()) == job.isNoted()
              && !unsignalled.contains(job.name());
      if (!isRight) {
        deviations.add(job.name() + " (" + job.fate() + ", served " + servedCount + ")");
      }
    }
    served.keySet().stream().filter(name -> !names.contains(name)).forEach(wrong::add);
    if (!wrong.isEmpty()) {
      return new Verdict(Verdict.Kind.WRONG, wrong + " told: " + told);
    }
    if (!told.isEmpty()) {
      return new Verdict(Verdict.Kind.TOLD, deviations.size() + " " + told);
    }
    if (!toldByVerify.isEmpty()) {
      return new Verdict(Verdict.Kind.TOLD_BY_VERIFY, deviations + " " + toldByVerify);
    }
    return deviations.isEmpty()
        ? new Verdict(Verdict.Kind.UNHARMED, "")
        : new Verdict(Verdict.Kind.SILENT, deviations.toString());
  }
}
