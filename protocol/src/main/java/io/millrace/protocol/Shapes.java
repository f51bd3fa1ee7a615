package io.millrace.protocol;

import io.millrace.api.Backoff;
import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.ClaimOptions;
import io.millrace.api.DeadFilter;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobEvent;
import io.millrace.api.JobFilter;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.RateLimit;
import io.millrace.api.UniqueKey;
import io.millrace.api.UpdateOptions;
import io.millrace.describe.SettingsTexts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The records that are sent in place of objects that are put together in steps. */
final class Shapes {

  private static final Map<Class<?>, Shape<?, ?>> ALL = new HashMap<>();

  /**
   * A record that is sent in place of objects.
   *
   * @param as the record
   * @param unsent an object that cannot be changed, for which nothing is sent; null for none
   */
  record Shape<T, R>(
      Class<R> as, Function<T, R> send, Function<R, T> receive, @Nullable T unsent) {}

  static {
    // Most jobs have no options: eighteen fields less of each to look at, at both ends.
    ALL.put(
        EnqueueOptions.class,
        new Shape<>(JobOptions.class, JobOptions::of, JobOptions::options, EnqueueOptions.DEFAULT));
    add(ClaimOptions.class, ClaimTerms.class, ClaimTerms::of, ClaimTerms::options);
    add(FailOptions.class, FailTerms.class, FailTerms::of, FailTerms::options);
    add(UpdateOptions.class, Changes.class, Changes::of, Changes::options);
    add(JobEvent.class, HeardEvent.class, HeardEvent::of, heard -> heard);
    add(
        JobFilter.class,
        Conditions.class,
        filter -> new Conditions(filter.texts()),
        sent -> JobFilter.ALL.with(sent.conditions));
    add(DeadFilter.class, DeadConditions.class, DeadConditions::of, DeadConditions::filter);
    add(
        QueueSettings.class,
        SettingsTexts.class,
        SettingsTexts::of,
        sent -> Shapes.settings(sent.values(), sent.inherited()));
    add(Batch.class, BatchTerms.class, BatchTerms::of, BatchTerms::batch);
  }

  private Shapes() {}

  private static <T, R> void add(
      Class<T> of, Class<R> as, Function<T, R> send, Function<R, T> receive) {
    ALL.put(of, new Shape<>(as, send, receive, null));
  }

  /** Returns the shape of the objects of a class; null if they are sent as they are. */
  static @Nullable Shape<?, ?> find(Class<?> of) {
    return ALL.get(of);
  }

  private static QueueSettings settings(Map<String, String> values, List<String> inherited) {
    Map<String, String> own = new LinkedHashMap<>(values);
    Map<String, String> others = new LinkedHashMap<>(values);
    own.keySet().removeAll(inherited);
    others.keySet().retainAll(inherited);
    return QueueSettings.DEFAULT.with(own).over(QueueSettings.DEFAULT.with(others));
  }

  private static <O, V> O changed(O options, Optional<V> value, BiFunction<O, V, O> with) {
    return value.isPresent() ? with.apply(options, value.get()) : options;
  }

  private static <O> O changed(O options, OptionalInt value, BiFunction<O, Integer, O> with) {
    return value.isPresent() ? with.apply(options, value.getAsInt()) : options;
  }

  /** The options of a job. */
  record JobOptions(
      int priority,
      Optional<Duration> delay,
      Optional<Instant> visibleAt,
      OptionalInt maxAttempts,
      Optional<Backoff> backoff,
      Optional<Duration> leaseDuration,
      OptionalInt weight,
      Map<String, String> headers,
      Optional<String> type,
      Optional<Duration> timeToLive,
      Optional<Duration> resultRetention,
      Optional<UniqueKey> unique,
      Optional<String> concurrencyKey,
      Optional<String> engineConcurrencyKey,
      OptionalInt engineConcurrencyMost,
      Optional<String> engineRateKey,
      Optional<RateLimit> engineRateLimit,
      Optional<BatchId> batch) {

    static JobOptions of(EnqueueOptions it) {
      return new JobOptions(
          it.priority(),
          it.delay().isZero() ? Optional.empty() : Optional.of(it.delay()),
          it.visibleAt(),
          it.maxAttempts(),
          it.backoff(),
          it.leaseDuration(),
          it.weight() == EnqueueOptions.DEFAULT.weight()
              ? OptionalInt.empty()
              : OptionalInt.of(it.weight()),
          it.headers(),
          it.type(),
          it.timeToLive(),
          it.resultRetention(),
          it.unique(),
          it.concurrencyKey(),
          it.engineConcurrencyKey(),
          it.engineConcurrencyMost(),
          it.engineRateKey(),
          it.engineRateLimit(),
          it.batch());
    }

    EnqueueOptions options() {
      if (delay.isPresent() && visibleAt.isPresent()) {
        throw new IllegalArgumentException("delayMs and visibleAtMs are both given: give one");
      }
      bothOrNone(
          "engineConcurrencyKey",
          engineConcurrencyKey.isPresent(),
          "engineConcurrencyMost",
          engineConcurrencyMost.isPresent());
      bothOrNone(
          "engineRateKey",
          engineRateKey.isPresent(),
          "engineRateLimit",
          engineRateLimit.isPresent());
      EnqueueOptions it = EnqueueOptions.DEFAULT;
      it = priority == it.priority() ? it : it.priority(priority);
      it = headers.isEmpty() ? it : it.headers(headers);
      it = changed(it, delay, EnqueueOptions::delay);
      it = changed(it, visibleAt, EnqueueOptions::visibleAt);
      it = changed(it, maxAttempts, EnqueueOptions::maxAttempts);
      it = changed(it, backoff, EnqueueOptions::backoff);
      it = changed(it, leaseDuration, EnqueueOptions::leaseDuration);
      it = changed(it, weight, EnqueueOptions::weight);
      it = changed(it, type, EnqueueOptions::type);
      it = changed(it, timeToLive, EnqueueOptions::timeToLive);
      it = changed(it, resultRetention, EnqueueOptions::resultRetention);
      it = changed(it, unique, EnqueueOptions::unique);
      it = changed(it, concurrencyKey, EnqueueOptions::concurrencyKey);
      it =
          changed(
              it,
              engineConcurrencyKey,
              (all, key) -> all.engineConcurrencyKey(key, engineConcurrencyMost.orElse(1)));
      it =
          changed(
              it,
              engineRateLimit,
              (all, limit) -> all.engineRateLimit(engineRateKey.orElse(""), limit));
      return changed(it, batch, EnqueueOptions::batch);
    }

    private static void bothOrNone(String one, boolean isOne, String other, boolean isOther) {
      if (isOne != isOther) {
        throw new IllegalArgumentException(
            (isOne ? other : one) + " is missing: give it with " + (isOne ? one : other));
      }
    }
  }

  /** The most jobs that may come of one queue. */
  record QueueMost(QueueName queue, int most) {}

  /** The options of a claim. */
  record ClaimTerms(
      String worker,
      OptionalInt max,
      Optional<Duration> leaseDuration,
      OptionalInt capacity,
      OptionalInt maxWeight,
      OptionalInt maxBytes,
      List<QueueMost> maxPerQueue,
      Optional<Duration> waiting) {

    static ClaimTerms of(ClaimOptions it) {
      ClaimOptions none = ClaimOptions.by(it.worker());
      return new ClaimTerms(
          it.worker(),
          unless(it.max(), none.max()),
          it.leaseDuration(),
          unless(it.capacity(), none.capacity()),
          unless(it.maxWeight(), none.maxWeight()),
          unless(it.maxBytes(), none.maxBytes()),
          it.maxPerQueue().entrySet().stream()
              .map(entry -> new QueueMost(entry.getKey(), entry.getValue()))
              .toList(),
          it.waiting().isZero() ? Optional.empty() : Optional.of(it.waiting()));
    }

    private static OptionalInt unless(int value, int otherwise) {
      return value == otherwise ? OptionalInt.empty() : OptionalInt.of(value);
    }

    ClaimOptions options() {
      ClaimOptions it = ClaimOptions.by(worker);
      it = changed(it, max, ClaimOptions::max);
      it = changed(it, leaseDuration, ClaimOptions::leaseDuration);
      it = changed(it, capacity, ClaimOptions::capacity);
      it = changed(it, maxWeight, ClaimOptions::maxWeight);
      it = changed(it, maxBytes, ClaimOptions::maxBytes);
      if (!maxPerQueue.isEmpty()) {
        Map<QueueName, Integer> most = new LinkedHashMap<>();
        maxPerQueue.forEach(one -> most.put(one.queue, one.most));
        it = it.maxPerQueue(most);
      }
      return changed(it, waiting, ClaimOptions::waiting);
    }
  }

  /** The options of a failed attempt. */
  record FailTerms(boolean isPermanent, Optional<Duration> delay, Optional<Backoff> backoff) {

    static FailTerms of(FailOptions it) {
      return new FailTerms(it.retry() == FailOptions.Retry.FORBIDDEN, it.delay(), it.backoff());
    }

    FailOptions options() {
      FailOptions it = isPermanent ? FailOptions.PERMANENT : FailOptions.RETRY;
      it = changed(it, delay, FailOptions::delay);
      return changed(it, backoff, FailOptions::backoff);
    }
  }

  /** Headers in place of those of a job. */
  record Headers(Map<String, String> headers) {}

  /** Changes of a job. */
  record Changes(
      OptionalInt priority,
      OptionalInt weight,
      Optional<byte[]> payload,
      Optional<Headers> headers,
      OptionalInt maxAttempts,
      Optional<Backoff> backoff,
      Optional<Duration> leaseDuration) {

    static Changes of(UpdateOptions it) {
      return new Changes(
          it.priority(),
          it.weight(),
          it.payload(),
          it.headers().map(Headers::new),
          it.maxAttempts(),
          it.backoff(),
          it.leaseDuration());
    }

    UpdateOptions options() {
      UpdateOptions it = UpdateOptions.NOTHING;
      it = changed(it, priority, UpdateOptions::priority);
      it = changed(it, weight, UpdateOptions::weight);
      it = changed(it, payload, UpdateOptions::payload);
      it = changed(it, headers.map(Headers::headers), UpdateOptions::headers);
      it = changed(it, maxAttempts, UpdateOptions::maxAttempts);
      it = changed(it, backoff, UpdateOptions::backoff);
      return changed(it, leaseDuration, UpdateOptions::leaseDuration);
    }
  }

  /** The conditions of a filter of jobs, as texts by the names that operators use. */
  record Conditions(Map<String, String> conditions) {}

  /** The conditions of a filter of dead letters. */
  record DeadConditions(
      Optional<String> errorContains, Optional<Instant> diedBefore, Optional<Instant> diedSince) {

    static DeadConditions of(DeadFilter it) {
      return new DeadConditions(it.errorContains(), it.diedBefore(), it.diedSince());
    }

    DeadFilter filter() {
      DeadFilter it = changed(DeadFilter.ALL, errorContains, DeadFilter::errorContains);
      it = changed(it, diedBefore, DeadFilter::diedBefore);
      return changed(it, diedSince, DeadFilter::diedSince);
    }
  }

  /** A job of a batch, or one that comes after it. */
  record PlacedJob(QueueName queue, NewJob job) {
    static PlacedJob of(Batch.Placed placed) {
      return new PlacedJob(placed.queue(), placed.job());
    }
  }

  /** A batch. */
  record BatchTerms(
      String name,
      List<PlacedJob> jobs,
      Optional<PlacedJob> whenDone,
      Optional<PlacedJob> whenAllSucceeded,
      Optional<PlacedJob> whenAnyDied,
      Optional<BatchId> outer,
      Optional<Duration> retention,
      boolean keepsResults) {

    static BatchTerms of(Batch it) {
      List<PlacedJob> jobs = new ArrayList<>();
      it.jobs().forEach(placed -> jobs.add(PlacedJob.of(placed)));
      return new BatchTerms(
          it.name(),
          jobs,
          following(it, Batch.After.DONE),
          following(it, Batch.After.ALL_SUCCEEDED),
          following(it, Batch.After.ANY_DIED),
          it.outer(),
          it.retention().equals(Batch.RETENTION_DEFAULT)
              ? Optional.empty()
              : Optional.of(it.retention()),
          it.keepsResults());
    }

    private static Optional<PlacedJob> following(Batch it, Batch.After after) {
      return Optional.ofNullable(it.following().get(after)).map(PlacedJob::of);
    }

    Batch batch() {
      Batch it = Batch.of(name);
      outer.ifPresent(it::within);
      retention.ifPresent(it::retention);
      if (keepsResults) {
        it.keepResults();
      }
      jobs.forEach(placed -> it.add(placed.queue, placed.job));
      whenDone.ifPresent(placed -> it.whenDone(placed.queue, placed.job));
      whenAllSucceeded.ifPresent(placed -> it.whenAllSucceeded(placed.queue, placed.job));
      whenAnyDied.ifPresent(placed -> it.whenAnyDied(placed.queue, placed.job));
      return it;
    }
  }
}
