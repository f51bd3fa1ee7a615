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
 * A set of queues where a worker claims, with one claim at a time: several queues, or all tenants
 * of several names. Its fields are guarded by the lock of the {@link Load}.
 */
final class Source {

  private final Map<QueueName, List<TypeHandler<?>>> queues;

  /** The queues some of whose jobs may run, and how many of each. */
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
   * Returns the sources of a worker. They are as few as the limit on the queues of one claim
   * allows: of several claims that are answered at once, all but the first may bring more jobs than
   * there is room for. Ticks of schedules are claimed by themselves if types have limits. Otherwise
   * a claim that waits for ticks alone, while the types have no room, would have to be ended
   * whenever one has.
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

  /** Returns the handlers of jobs that come from here. */
  List<TypeHandler<?>> handlers() {
    return queues.values().stream().flatMap(List::stream).toList();
  }

  /** Notes that more or fewer jobs of the type may run. */
  void roomChanged(TypeHandler<?> handler, Load load) {
    QueueName queue = key(handler, isAcrossTenants);
    int room = sum(Objects.requireNonNull(queues.get(queue)), load::roomFor);
    if (room > 0) {
      open.put(queue, room);
    } else {
      open.remove(queue);
    }
  }

  /** A claim that is to be made, or waits. */
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

    /**
     * Creates a claim for as many jobs as there is room for, and of each queue for as many as its
     * types have room for.
     */
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

    /** Sends the claim to the queues. Not to be called under the lock. */
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

    /**
     * Makes the claim and returns at once, with the leases that are granted now; see {@link #send}.
     */
    List<Lease> ask(JobQueues all, ClaimOptions options) {
      return source.isAcrossTenants
          ? all.claimAcrossTenants(names(), bounded(options))
          : all.claim(List.copyOf(asked), bounded(options));
    }

    private List<String> names() {
      return asked.stream().map(QueueName::name).toList();
    }

    /**
     * Gives the claim up; leases that are granted meanwhile are handed back. Not to be called under
     * the lock.
     */
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

    /** Notes that the claim's answer will be handled. */
    void heard() {
      isHeard = true;
    }

    boolean isHeard() {
      return isHeard;
    }

    /**
     * Asks the queues to answer the claim now, with what it was granted or with nothing. Not to be
     * called under the lock.
     */
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

    /** Returns the most jobs that the claim asks for. */
    int countMost() {
      return countMost;
    }
  }

  /**
   * Returns the claim that is to be made now, or when the one that waits has been answered; null if
   * none is to be.
   *
   * @param heaviest the weight that is enough for a claim that waits: heavier jobs need not get in
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

  /** Tells whether a claim waits that lets in only lighter jobs than there is room for. */
  boolean isNarrow(int room) {
    return sent != null && sent.weight < room;
  }

  /**
   * Lets this claim wait from now on. If one waits already, returns that one instead, for its wait
   * to be ended.
   */
  Optional<Claim> begin(Claim claim) {
    if (sent == null) {
      sent = claim;
      return Optional.empty();
    }
    return end();
  }

  /**
   * Returns the claim that waits, whose wait is to end; empty if none waits, or if it ends already.
   */
  Optional<Claim> end() {
    Optional<Claim> waiting = isEnding ? Optional.empty() : Optional.ofNullable(sent);
    isEnding |= waiting.isPresent();
    return waiting;
  }

  /** Returns the claim that waits, if any, which counts as waiting no more. */
  Optional<Claim> take() {
    Optional<Claim> waiting = Optional.ofNullable(sent);
    sent = null;
    isEnding = false;
    return waiting;
  }

  /** Notes that the claim waits no more. */
  void answered(Claim claim) {
    if (sent == claim) {
      sent = null;
      isEnding = false;
    }
  }
}
