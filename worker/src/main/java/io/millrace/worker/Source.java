package io.millrace.worker;

import io.millrace.api.ClaimOptions;
import io.millrace.api.JobQueues;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.QueueName;
import io.millrace.worker.Handlers.TypeHandler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Where a worker claims, with one claim at a time: several queues, or all tenants of a name. What
 * changes is guarded by the lock of the {@link Load}.
 */
final class Source {

  private final Map<QueueName, List<TypeHandler<?>>> queues;
  private final boolean isAcrossTenants;
  private final boolean isLimited;
  private final boolean isAllLimited;
  private @Nullable Claim sent;

  private Source(Map<QueueName, List<TypeHandler<?>>> queues, boolean isAcrossTenants) {
    this.queues = queues;
    this.isLimited =
        queues.values().stream()
            .flatMap(List::stream)
            .anyMatch(handler -> handler.options().concurrency() < Limits.WEIGHT_MAX);
    this.isAllLimited = queues.values().stream().allMatch(Source::isAllLimited);
    this.isAcrossTenants = isAcrossTenants;
  }

  private static boolean isAllLimited(List<TypeHandler<?>> handlers) {
    return handlers.stream()
        .allMatch(handler -> handler.options().concurrency() < Limits.WEIGHT_MAX);
  }

  /**
   * As few as the limit on the queues of one claim allows; one for each name across tenants; and
   * one for each queue of limited types alone: a claim for others as well would bring more of its
   * jobs than may run, and these would take the room of the others.
   */
  static List<Source> of(Handlers handlers) {
    Map<QueueName, List<TypeHandler<?>>> all = new LinkedHashMap<>();
    for (TypeHandler<?> handler : handlers.all()) {
      QueueName queue = handler.queue();
      QueueName key = handlers.isAcrossTenants() ? QueueName.of(queue.name()) : queue;
      all.computeIfAbsent(key, name -> new ArrayList<>()).add(handler);
    }
    int sizeMax = handlers.isAcrossTenants() ? 1 : Limits.CLAIM_QUEUE_COUNT_MAX;
    List<Source> sources = new ArrayList<>();
    Map<QueueName, List<TypeHandler<?>>> some = new LinkedHashMap<>();
    for (Map.Entry<QueueName, List<TypeHandler<?>>> queue : all.entrySet()) {
      if (isAllLimited(queue.getValue())) {
        sources.add(
            new Source(Map.of(queue.getKey(), queue.getValue()), handlers.isAcrossTenants()));
        continue;
      }
      some.put(queue.getKey(), queue.getValue());
      if (some.size() == sizeMax) {
        sources.add(new Source(some, handlers.isAcrossTenants()));
        some = new LinkedHashMap<>();
      }
    }
    if (!some.isEmpty()) {
      sources.add(new Source(some, handlers.isAcrossTenants()));
    }
    return sources;
  }

  /** One claim that is to be made, or waits. */
  static final class Claim {
    private final Source source;
    private final Set<QueueName> asked;
    private final int weight;
    private final int countMost;
    private @Nullable CompletableFuture<List<Lease>> future;
    private boolean isCancelled;
    private volatile boolean isHeard;

    private Claim(Source source, Set<QueueName> asked, int weight, int countMost) {
      this.source = source;
      this.asked = asked;
      this.weight = weight;
      this.countMost = countMost;
    }

    Source source() {
      return source;
    }

    /** Asks the queues; not under the lock. */
    CompletableFuture<List<Lease>> send(JobQueues all, ClaimOptions options) {
      CompletableFuture<List<Lease>> made =
          source.isAcrossTenants
              ? all.claimAcrossTenantsAsync(asked.iterator().next().name(), options)
              : all.claimAsync(List.copyOf(asked), options);
      boolean isTooLate;
      synchronized (this) {
        future = made;
        isTooLate = isCancelled;
      }
      if (isTooLate) {
        made.cancel(false);
      }
      return made;
    }

    /** As {@link #send}, but answers at once. */
    List<Lease> ask(JobQueues all, ClaimOptions options) {
      return source.isAcrossTenants
          ? all.claimAcrossTenants(asked.iterator().next().name(), options)
          : all.claim(List.copyOf(asked), options);
    }

    /** Gives it up; what is granted meanwhile is handed back. Not under the lock. */
    void cancel() {
      @Nullable CompletableFuture<List<Lease>> made;
      synchronized (this) {
        isCancelled = true;
        made = future;
      }
      if (made != null) {
        made.cancel(false);
      }
    }

    /** Its answer will be told. */
    void heard() {
      isHeard = true;
    }

    boolean isHeard() {
      return isHeard;
    }

    int weight() {
      return weight;
    }

    /** How many jobs there is room for. */
    int countMost() {
      return countMost;
    }
  }

  /**
   * The claim that is to be made now, in place of the one that waits if there is one; null if none
   * is to be.
   *
   * @param heaviest a claim that waits need not let heavier jobs in
   */
  @Nullable Claim next(Load load, int heaviest) {
    int room = load.room();
    boolean isWideEnough = sent != null && sent.weight >= Math.min(room, heaviest);
    if (room == 0 || (isWideEnough && !isLimited)) {
      return null;
    }
    Set<QueueName> open = openTo(load);
    boolean isAsked = isWideEnough && sent != null && sent.asked.containsAll(open);
    return open.isEmpty() || isAsked
        ? null
        : new Claim(this, open, room, Math.min(room, typeRoom(load)));
  }

  /** How many jobs its types have room for: no more are claimed of a queue of limited types. */
  private int typeRoom(Load load) {
    if (!isAllLimited) {
      return Limits.CALL_JOB_COUNT_MAX;
    }
    long sum = 0;
    for (List<TypeHandler<?>> handlers : queues.values()) {
      sum += handlers.stream().mapToLong(load::roomFor).sum();
    }
    return (int) Math.min(sum, Limits.CALL_JOB_COUNT_MAX);
  }

  /** Whether a job may wait that is heavier than the claim lets in, and which there is room for. */
  boolean isNarrow(int room) {
    return sent != null && sent.weight < room;
  }

  /** Those of its queues of whose jobs some may run. */
  private Set<QueueName> openTo(Load load) {
    if (!isLimited) {
      return queues.keySet();
    }
    Set<QueueName> open = new LinkedHashSet<>();
    queues.forEach(
        (queue, handlers) -> {
          if (handlers.stream().anyMatch(handler -> load.roomFor(handler) > 0)) {
            open.add(queue);
          }
        });
    return open;
  }

  /** This claim, or none, waits from now on; answers the one that did. */
  Optional<Claim> replace(@Nullable Claim claim) {
    Optional<Claim> before = Optional.ofNullable(sent);
    sent = claim;
    return before;
  }

  /** It waits no more. */
  void answered(Claim claim) {
    if (sent == claim) {
      sent = null;
    }
  }
}
