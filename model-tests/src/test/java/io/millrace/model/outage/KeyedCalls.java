package io.millrace.model.outage;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.QueueSettings.KeyOrder;
import io.millrace.api.QueueStats;
import io.millrace.api.UpdateOptions;
import io.millrace.model.rig.Dropped;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** All that can be done with jobs of concurrency keys, in some queues. */
abstract class KeyedCalls extends FaultyCalls {

  static final int KEY_COUNT = 4;

  /** Most jobs of a key that may ever be ready or leased. */
  static final int MOST_MAX = 3;

  private static final int LOOK_ONE_IN = 40;
  private static final Set<JobState> UNFINISHED =
      EnumSet.of(JobState.READY, JobState.DELAYED, JobState.LEASED, JobState.BLOCKED);

  private static final List<JobState> PURGED =
      List.of(JobState.READY, JobState.BLOCKED, JobState.DELAYED);

  private final List<String> queues;
  private final List<JobId> ids = new ArrayList<>();
  private final Map<JobId, Lease> held = new HashMap<>();

  KeyedCalls(List<String> queues) {
    this.queues = queues;
  }

  /** The options with some key. */
  abstract EnqueueOptions withKey(EnqueueOptions options);

  /** Changes a queue as a whole. */
  void change(JobQueue queue) {
    int perKey = 1 + random.nextInt(MOST_MAX);
    KeyOrder order = random.nextBoolean() ? KeyOrder.STRICT : KeyOrder.PASSING;
    queue.configure(settings -> settings.perKey(perKey).keyOrder(order));
  }

  /** Looks at what one claim was given. */
  void claimed(List<Lease> leases) {}

  @Override
  final void begin() {
    ids.clear();
    forgetLeases();
  }

  @Override
  final void forgetLeases() {
    held.clear();
  }

  private JobQueue queue() {
    int queue = queues.size() == 1 ? 0 : random.nextInt(queues.size());
    return harness.engine().queue(queues.get(queue));
  }

  @Override
  final void call(int number) {
    switch (random.nextInt(20)) {
      case 0, 1, 2, 3, 4, 5 -> ids.add(enqueue(number));
      case 6, 7, 8, 9 -> claim();
      case 10, 11, 12 -> finish();
      case 13 -> Dropped.result(harness.engine().cancel(anyJob()));
      case 14 -> Dropped.result(harness.engine().reschedule(anyJob(), soon()));
      case 15 ->
          Dropped.result(
              harness.engine().update(anyJob(), UpdateOptions.NOTHING.priority(random.nextInt(3))));
      case 16 -> change(queue());
      case 17 -> queue().purge(EnumSet.of(PURGED.get(random.nextInt(PURGED.size()))));
      case 18 -> pass(Duration.ofSeconds(1 + random.nextInt(40)));
      default -> stop();
    }
  }

  @Override
  final void lookNow() {
    if (random.nextInt(LOOK_ONE_IN) == 0) {
      check();
    }
  }

  private JobId enqueue(int number) {
    EnqueueOptions options =
        EnqueueOptions.DEFAULT
            .priority(random.nextInt(2))
            .delay(Duration.ofSeconds(random.nextInt(4) == 0 ? 5 : 0));
    return queue().enqueue(("job " + number).getBytes(UTF_8), withKey(options)).jobId();
  }

  final String anyKey() {
    return "key-" + random.nextInt(KEY_COUNT);
  }

  private JobId anyJob() {
    return ids.isEmpty() ? new JobId(1, 1) : ids.get(random.nextInt(ids.size()));
  }

  private Instant soon() {
    return Instant.ofEpochMilli(harness.clock().epochMs()).plusSeconds(random.nextInt(5));
  }

  private void claim() {
    List<Lease> leases = queue().claim(ClaimOptions.by("worker").max(5));
    leases.forEach(lease -> held.put(lease.jobId(), lease));
    claimed(leases);
  }

  private void finish() {
    if (held.isEmpty()) {
      return;
    }
    Lease lease = held.remove(held.keySet().iterator().next());
    switch (random.nextInt(5)) {
      case 0 -> Dropped.result(lease.fail("broken"));
      case 1 -> Dropped.result(lease.release());
      case 2 -> Dropped.result(lease.snooze(Duration.ofSeconds(random.nextInt(3))));
      default -> Dropped.result(lease.complete());
    }
  }

  @Override
  void serveAll() {
    while (queues.stream().anyMatch(this::hasWork)) {
      for (String name : queues) {
        for (Lease lease : harness.engine().queue(name).claim(ClaimOptions.by("worker").max(100))) {
          lease.complete().orThrow();
        }
      }
      pass(Duration.ofSeconds(31));
    }
  }

  private boolean hasWork(String queue) {
    Optional<QueueStats> stats = harness.engine().queue(queue).stats();
    return stats.isPresent() && UNFINISHED.stream().anyMatch(state -> stats.get().count(state) > 0);
  }
}
