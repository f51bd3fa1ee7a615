package io.millrace.model.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Durability;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.QueueLease;
import io.millrace.api.QueueName;
import io.millrace.engine.JobEngine;
import io.millrace.model.seeds.SeededEngine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The engine, the log of the model, and which jobs and leases of the one are which of the other.
 */
final class SeededWorld {

  /** The header by which a job is known whose id nobody was told. */
  static final String MARKER = "n";

  final SeededEngine seeded;
  final SeededSetup setup;
  final SeededLog log;

  /** The claim that waits, if there is one. */
  Optional<SeededWaiting> waiting = Optional.empty();

  /** Whether it is unknown what became of some lease on a queue. */
  boolean areQueueLeasesOpen;

  private final Map<Integer, JobId> ids = new LinkedHashMap<>();
  private final Map<Integer, QueueName> queues = new HashMap<>();
  private final Set<JobId> everGiven = new HashSet<>();
  private final List<Held> held = new ArrayList<>();
  private final List<HeldQueue> heldQueues = new ArrayList<>();
  private final Set<Long> tokens = new HashSet<>();
  private long newestToken;
  private long newestTokenBefore;
  private int markerCount;

  /** A lease of the model, by number, and its handle. */
  record Held(int number, Lease handle) {}

  /** A lease of the model on a queue, by number, and its handle. */
  record HeldQueue(int number, QueueLease handle) {}

  SeededWorld(SeededEngine seeded, SeededSetup setup, SeededLog log) {
    this.seeded = seeded;
    this.setup = setup;
    this.log = log;
  }

  JobEngine engine() {
    return seeded.engine();
  }

  JobQueue queue(QueueName name, Durability level) {
    return engine().with(level).queue(name);
  }

  SeededModel live() {
    return log.live();
  }

  /** A number that no other job's payload and marker begin with. */
  int nextMarker() {
    return ++markerCount;
  }

  long wallMs() {
    return seeded.clock().epochMs();
  }

  /** The job meant by a number, of those whose id is known: small ones are recent. */
  Optional<Integer> chosenJob(int choice) {
    List<Integer> numbers = List.copyOf(ids.keySet());
    return numbers.isEmpty()
        ? Optional.empty()
        : Optional.of(numbers.get(numbers.size() - 1 - choice % numbers.size()));
  }

  /** The lease meant by a number: small ones are recent. */
  Optional<Held> chosenLease(int choice) {
    return held.isEmpty()
        ? Optional.empty()
        : Optional.of(held.get(held.size() - 1 - choice % held.size()));
  }

  /** The lease on a queue meant by a number: small ones are recent. */
  Optional<HeldQueue> chosenQueueLease(int choice) {
    return heldQueues.isEmpty()
        ? Optional.empty()
        : Optional.of(heldQueues.get(heldQueues.size() - 1 - choice % heldQueues.size()));
  }

  void holdQueue(int number, QueueLease handle) {
    assertThat(tokens.add(handle.token())).as("a token is given once").isTrue();
    heldQueues.add(new HeldQueue(number, handle));
  }

  /** All leases on queues that somebody was told of since the process started. */
  List<HeldQueue> heldQueues() {
    return heldQueues;
  }

  Optional<JobId> id(int number) {
    return Optional.ofNullable(ids.get(number));
  }

  QueueName queueOf(int number) {
    return Optional.ofNullable(queues.get(number)).orElseThrow();
  }

  int numberOf(JobId id) {
    return ids.entrySet().stream()
        .filter(entry -> entry.getValue().equals(id))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow(() -> new AssertionError("nobody knows of the job " + id));
  }

  /** The engine has told the id of a job. */
  void bind(int number, QueueName queue, JobId id) {
    assertThat(everGiven.add(id)).as("the id of job " + number + " is given once: " + id).isTrue();
    ids.put(number, id);
    queues.put(number, queue);
  }

  /** The engine tells of a job whose own enqueue may never have been answered. */
  void learn(int number, QueueName queue, JobId id) {
    if (!ids.containsKey(number)) {
      bind(number, queue, id);
    }
  }

  /** What is held from here on was granted after all that is held, in an order of its own. */
  void beginRound() {
    newestTokenBefore = newestToken;
  }

  /** Keeps the handles of the model's newest leases. */
  void hold(int firstNumber, List<Lease> leases) {
    long previous = newestTokenBefore;
    for (int i = 0; i < leases.size(); i++) {
      long token = leases.get(i).token();
      assertThat(token).as("a token grows with every lease").isGreaterThan(previous);
      assertThat(tokens.add(token)).as("a token is given once: " + token).isTrue();
      previous = token;
      newestToken = Math.max(newestToken, token);
      held.add(new Held(firstNumber + i, leases.get(i)));
    }
  }

  /** Of all leases that were ever held. */
  Set<Long> tokens() {
    return tokens;
  }

  /** A lease goes on under another number. */
  void holdAgain(int number, Lease handle) {
    held.add(new Held(number, handle));
  }

  /** Jobs that never were are not known any more, and leases that never were not held. */
  void forgetLost() {
    ids.keySet().removeIf(number -> number > live().bornCount());
    held.removeIf(lease -> lease.number() >= live().grantedCount());
  }

  void forgetHeld() {
    held.clear();
    heldQueues.clear();
  }
}
