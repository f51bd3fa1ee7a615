package io.millrace.worker;

import io.millrace.api.ClaimOptions;
import io.millrace.api.JobQueues;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.QueueName;
import io.millrace.worker.Handlers.TypeHandler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Where a worker claims, with one claim at a time: several queues, or all tenants of several names.
 * What changes is guarded by the lock of the {@link Load}.
 */
final class Source {

  private final Map<QueueName, List<TypeHandler<?>>> queues;

  /** Of whose jobs some may run, and how many of each. */
  private final Map<QueueName, Integer> open = new LinkedHashMap<>();

  private final boolean isAcrossTenants;
  private final boolean isLimited;
  private @Nullable Claim sent;
  private boolean isEnding;

  private Source(Map<QueueName, List<TypeHandler<?>>> queues, boolean isAcrossTenants) {
    this.queues = queues;
    this.isLimited = queues.values().stream().flatMap(List::stream).anyMatch(Source::isLimited);
    this.isAcrossTenants = isAcrossTenants;
    queues.forEach(
        (queue, handlers) ->
            open.put(queue, sum(handlers, handler -> handler.options().concurrency())));
  }

  private static int sum(List<TypeHandler<?>> handlers, ToLongFunction<TypeHandler<?>> room) {
    long sum = 0;
    for (TypeHandler<?> handler : handlers) {
      sum += room.applyAsLong(handler);
    }
    return (int) Math.min(sum, Limits.CALL_JOB_COUNT_MAX);
  }

  /**
   * As few as the limit on the queues of one claim allows, for of several that are answered at once
   * all but the first may bring more than there is room for. Ticks of schedules are claimed by
   * themselves if types have limits: a claim that waits for them alone, while the types have no
   * room, would have to be ended whenever one has.
   */
  static List<Source> of(Handlers handlers) {
    boolean isLimited = handlers.all().stream().anyMatch(Source::isLimited);
    Map<QueueName, List<TypeHandler<?>>> all = new LinkedHashMap<>();
    Map<QueueName, List<TypeHandler<?>>> ticks = new LinkedHashMap<>();
    for (TypeHandler<?> handler : handlers.all()) {
      boolean isApart = isLimited && handler.type() == ScheduleTicks.TICK;
      (isApart ? ticks : all)
          .computeIfAbsent(key(handler, handlers.isAcrossTenants()), name -> new ArrayList<>())
          .add(handler);
    }
    List<Source> sources = new ArrayList<>();
    Map<QueueName, List<TypeHandler<?>>> some = new LinkedHashMap<>();
    for (Map.Entry<QueueName, List<TypeHandler<?>>> queue : all.entrySet()) {
      some.put(queue.getKey(), queue.getValue());
      if (some.size() == Limits.CLAIM_QUEUE_COUNT_MAX) {
        sources.add(new Source(some, handlers.isAcrossTenants()));
        some = new LinkedHashMap<>();
      }
    }
    for (Map<QueueName, List<TypeHandler<?>>> rest : List.of(some, ticks)) {
      if (!rest.isEmpty()) {
        sources.add(new Source(rest, handlers.isAcrossTenants()));
      }
    }
    return sources;
  }

  private static boolean isLimited(TypeHandler<?> handler) {
    return handler.options().concurrency() < Limits.WEIGHT_MAX;
  }

  private static QueueName key(TypeHandler<?> handler, boolean isAcrossTenants) {
    QueueName queue = handler.queue();
    return isAcrossTenants ? QueueName.of(queue.name()) : queue;
  }

  /** The handlers of its jobs. */
  List<TypeHandler<?>> handlers() {
    return queues.values().stream().flatMap(List::stream).toList();
  }

  /** More or fewer jobs of the type may run. */
  void roomChanged(TypeHandler<?> handler, Load load) {
    QueueName queue = key(handler, isAcrossTenants);
    int room = sum(Objects.requireNonNull(queues.get(queue)), load::roomFor);
    if (room > 0) {
      open.put(queue, room);
    } else {
      open.remove(queue);
    }
  }

  /** One claim that is to be made, or waits. */
  static final class Claim {
    private final Source source;
    private final Set<QueueName> asked;
    private final int weight;
    private final int countMost;
    private final Map<QueueName, Integer> maxPerQueue;
    private @Nullable CompletableFuture<List<Lease>> future;
    private boolean isCancelled;
    private boolean isEnded;
    private volatile boolean isHeard;

    /** For as many jobs as there is room for, of each queue as many as its types have. */
    private Claim(Source source, int weight) {
      this.source = source;
      this.asked = new LinkedHashSet<>(source.open.keySet());
      this.weight = weight;
      long sum = 0;
      Map<QueueName, Integer> bounds = new HashMap<>();
      for (Map.Entry<QueueName, Integer> queue : source.open.entrySet()) {
        sum += queue.getValue();
        if (queue.getValue() < weight) {
          bounds.put(queue.getKey(), queue.getValue());
        }
      }
      this.countMost = (int) Math.min(Math.min(weight, sum), Limits.CALL_JOB_COUNT_MAX);
      this.maxPerQueue = bounds;
    }

    Source source() {
      return source;
    }

    /** Asks the queues; not under the lock. */
    CompletableFuture<List<Lease>> send(JobQueues all, ClaimOptions options) {
      CompletableFuture<List<Lease>> made =
          source.isAcrossTenants
              ? all.claimAcrossTenantsAsync(names(), bounded(options))
              : all.claimAsync(List.copyOf(asked), bounded(options));
      boolean isTooLate;
      boolean isOver;
      synchronized (this) {
        future = made;
        isTooLate = isCancelled;
        isOver = isEnded;
      }
      if (isTooLate) {
        made.cancel(false);
      } else if (isOver) {
        all.endWait(made);
      }
      return made;
    }

    /** As {@link #send}, but answers at once. */
    List<Lease> ask(JobQueues all, ClaimOptions options) {
      return source.isAcrossTenants
          ? all.claimAcrossTenants(names(), bounded(options))
          : all.claim(List.copyOf(asked), bounded(options));
    }

    private List<String> names() {
      return asked.stream().map(QueueName::name).toList();
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

    private ClaimOptions bounded(ClaimOptions options) {
      return options.maxPerQueue(maxPerQueue);
    }

    /** Its answer will be told. */
    void heard() {
      isHeard = true;
    }

    boolean isHeard() {
      return isHeard;
    }

    /** Has it answered with what it was granted, or with nothing. Not under the lock. */
    void endWait(JobQueues all) {
      @Nullable CompletableFuture<List<Lease>> made;
      synchronized (this) {
        isEnded = true;
        made = future;
      }
      if (made != null) {
        all.endWait(made);
      }
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
   * The claim that is to be made now, or when the one that waits has been answered; null if none is
   * to be.
   *
   * @param heaviest a claim that waits need not let heavier jobs in
   */
  @Nullable Claim next(Load load, int heaviest) {
    int room = load.room();
    boolean isWideEnough = sent != null && sent.weight >= Math.min(room, heaviest);
    if (room == 0 || isEnding || (isWideEnough && !isLimited)) {
      return null;
    }
    boolean isAsked = isWideEnough && sent != null && sent.asked.containsAll(open.keySet());
    return open.isEmpty() || isAsked ? null : new Claim(this, room);
  }

  /** Whether a job may wait that is heavier than the claim lets in, and which there is room for. */
  boolean isNarrow(int room) {
    return sent != null && sent.weight < room;
  }

  /** This claim waits from now on, unless one waits already: then that is answered, to be ended. */
  Optional<Claim> begin(Claim claim) {
    if (sent == null) {
      sent = claim;
      return Optional.empty();
    }
    return end();
  }

  /** The claim that waits, whose wait is to end; empty if none does, or if it ends already. */
  Optional<Claim> end() {
    Optional<Claim> waiting = isEnding ? Optional.empty() : Optional.ofNullable(sent);
    isEnding |= waiting.isPresent();
    return waiting;
  }

  /** No claim waits from now on; answers the one that did. */
  Optional<Claim> take() {
    Optional<Claim> waiting = Optional.ofNullable(sent);
    sent = null;
    isEnding = false;
    return waiting;
  }

  /** It waits no more. */
  void answered(Claim claim) {
    if (sent == claim) {
      sent = null;
      isEnding = false;
    }
  }
}
