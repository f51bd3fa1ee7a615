package io.millrace.model.fault;

import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.Enqueued;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.api.QueueStats.Total;
import io.millrace.engine.JobEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Jobs that come and go in groups, each in one call: whoever looks must see all of a group or none
 * of it. One producer and one consumer for each queue, any number of readers.
 */
final class Groups {

  static final int GROUP = 10;

  private final JobEngine engine;
  private final Ledger ledger;
  private final QueueName queue;
  private final int payloadBytesMax;
  private final AtomicLong waiting = new AtomicLong();
  private final AtomicLong looks = new AtomicLong();
  private final AtomicLong endsRefused = new AtomicLong();
  private int number;

  Groups(JobEngine engine, Ledger ledger, QueueName queue, int payloadBytesMax) {
    this.engine = engine;
    this.ledger = ledger;
    this.queue = queue;
    this.payloadBytesMax = payloadBytesMax;
  }

  /** How often readers have looked. */
  long looks() {
    return looks.get();
  }

  /** How often the end of a group was refused. */
  long endsRefused() {
    return endsRefused.get();
  }

  /** How many groups wait or are worked on. */
  long waiting() {
    return waiting.get();
  }

  /** Enqueues a group, once. */
  void enqueue(Random random) {
    List<String> names = new ArrayList<>();
    List<NewJob> jobs = new ArrayList<>();
    for (int i = 0; i < GROUP; i++) {
      names.add(queue.name() + "-" + number + ":" + i);
      jobs.add(NewJob.of(Ledger.payload(names.get(i), 1 + random.nextInt(payloadBytesMax))));
    }
    number++;
    names.forEach(ledger::asked);
    CallOutcome<List<Enqueued>> told = CallOutcome.by(() -> engine.queue(queue).enqueueAll(jobs));
    if (told.kind() == CallOutcome.Kind.ANSWER) {
      names.forEach(ledger::enqueued);
      waiting.incrementAndGet();
    } else {
      names.forEach(ledger::refused);
      Load.pause(5);
    }
  }

  /** Completes a group, if there is one. */
  void complete() {
    JobQueue jobs = engine.queue(queue);
    ClaimOptions claim = ClaimOptions.by("consumer").leaseDuration(Duration.ofMinutes(5));
    List<Lease> group = new ArrayList<>();
    if (waiting.get() == 0) {
      Load.pause(1);
      return;
    }
    while (group.size() < GROUP) {
      CallOutcome.by(() -> jobs.claim(claim.max(GROUP - group.size())))
          .answer()
          .forEach(group::add);
    }
    group.forEach(ledger::leased);
    CallOutcome<List<CompleteResult>> told = CallOutcome.by(() -> engine.completeAll(group));
    while (told.kind() != CallOutcome.Kind.ANSWER) {
      endsRefused.incrementAndGet();
      Load.pause(1);
      told = CallOutcome.by(() -> engine.completeAll(group));
    }
    if (!Set.copyOf(told.answer()).equals(Set.of(CompleteResult.COMPLETED))) {
      ledger.wrong("completed a group and was told " + told.answer());
    }
    group.forEach(ledger::completed);
    waiting.decrementAndGet();
  }

  /** Looks at the queue in one way of several. */
  void look(Random random) {
    looks.incrementAndGet();
    Load.pause(1);
    switch (random.nextInt(3)) {
      case 0 -> engine.stats(queue).ifPresent(this::check);
      case 1 -> check(engine.list(JobFilter.ALL.queue(queue), PageRequest.first(1_000)), true);
      default -> check(engine.peek(queue, JobState.READY, PageRequest.first(100)), false);
    }
  }

  private void check(QueueStats stats) {
    long there = stats.count(JobState.READY) + stats.count(JobState.LEASED);
    long left = stats.total(Total.ENQUEUED) - stats.total(Total.COMPLETED);
    if (there % GROUP != 0 || there != left) {
      ledger.wrong("a reader saw counts that never were: " + stats);
    }
  }

  private void check(Page<Job> page, boolean isOfAllStates) {
    Map<String, Integer> counts = new HashMap<>();
    Set<String> names = new HashSet<>();
    for (Job job : page.items()) {
      String name = Ledger.nameOf(job.payload());
      if (name.equals(Ledger.DAMAGED) || !names.add(name)) {
        ledger.wrong("a reader saw a job twice or damaged: " + name + ", " + job.id());
      }
      counts.merge(name.substring(0, Math.max(0, name.indexOf(':'))), 1, Integer::sum);
    }
    boolean isWhole = isOfAllStates && page.next().isEmpty();
    if (isWhole && counts.values().stream().anyMatch(count -> count != GROUP)) {
      ledger.wrong("a reader saw part of a group: " + counts);
    }
  }
}
