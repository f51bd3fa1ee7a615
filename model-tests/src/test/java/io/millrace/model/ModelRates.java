package io.millrace.model;

import io.millrace.api.QueueName;
import io.millrace.api.RateLimit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * Rate limits in the model. Each bucket is what is owed, in parts of which a token has as many as
 * the limit's time has milliseconds, and of which as many come back in a millisecond as the limit
 * has starts.
 */
public final class ModelRates {

  private final ReferenceModel model;
  private final Map<Name, Bucket> buckets = new HashMap<>();

  /** Of the keys over all queues, which bring the same limit whoever names them. */
  private final Map<String, Bucket> ofEngine = new HashMap<>();

  /** Whose bucket it is; no key for the queue's own. */
  private record Name(QueueName queue, Optional<String> key) {}

  private static final class Bucket {
    private RateLimit limit;
    private long owed;
    private long atMs;

    Bucket(RateLimit limit, long atMs) {
      this.limit = limit;
      this.atMs = atMs;
    }

    private long per() {
      return limit.per().toMillis();
    }

    private void passTo(long nowMs) {
      owed = Math.max(0, owed - (nowMs - atMs) * limit.count());
      atMs = nowMs;
    }

    private boolean hasToken() {
      return owed + per() <= limit.burst() * per();
    }
  }

  ModelRates(ReferenceModel model) {
    this.model = model;
  }

  private Optional<RateLimit> limit(Name name) {
    return name.key().isPresent()
        ? model.queue(name.queue()).settings.rateLimitPerKey()
        : model.queue(name.queue()).settings.rateLimit();
  }

  private Optional<Bucket> bucket(Name name) {
    long nowMs = model.time.steadyMs();
    Optional<Bucket> bucket =
        limit(name).map(limit -> buckets.computeIfAbsent(name, absent -> new Bucket(limit, nowMs)));
    bucket.ifPresent(it -> it.passTo(nowMs));
    return bucket;
  }

  private static Name ofQueue(ModelJob job) {
    return new Name(job.queue, Optional.empty());
  }

  private static Optional<Name> ofKey(ModelJob job) {
    return job.options.concurrencyKey().map(key -> new Name(job.queue, Optional.of(key)));
  }

  /** Whether all that the job needs to be started is there. */
  public boolean mayStart(ModelJob job) {
    return bucket(ofQueue(job)).map(Bucket::hasToken).orElse(true)
        && ofKey(job).flatMap(this::bucket).map(Bucket::hasToken).orElse(true)
        && hasTokenOfEngine(job);
  }

  /** Whether the limit over all queues lets it start, if it names one. */
  public boolean hasTokenOfEngine(ModelJob job) {
    return ofEngine(job).map(Bucket::hasToken).orElse(true);
  }

  private Optional<Bucket> ofEngine(ModelJob job) {
    long nowMs = model.time.steadyMs();
    Optional<Bucket> bucket =
        job.options
            .engineRateKey()
            .map(
                key ->
                    ofEngine.computeIfAbsent(
                        key,
                        absent -> new Bucket(job.options.engineRateLimit().orElseThrow(), nowMs)));
    bucket.ifPresent(it -> it.passTo(nowMs));
    return bucket;
  }

  void start(ModelJob job, ModelLease lease) {
    lease.tokenOfQueue = take(ofQueue(job));
    lease.tokenOfKey = ofKey(job).map(this::take).orElse(OptionalLong.empty());
    lease.tokenOfEngine = take(ofEngine(job));
  }

  /** Answers until when what is taken is owed. */
  private OptionalLong take(Name name) {
    return take(bucket(name));
  }

  private static OptionalLong take(Optional<Bucket> bucket) {
    bucket.ifPresent(it -> it.owed += it.per());
    return bucket
        .map(it -> OptionalLong.of(it.atMs + it.owed / it.limit.count()))
        .orElse(OptionalLong.empty());
  }

  void giveBack(ModelLease lease) {
    lease.tokenOfQueue.ifPresent(untilMs -> giveBack(ofQueue(lease.job), untilMs));
    lease.tokenOfKey.ifPresent(
        untilMs -> ofKey(lease.job).ifPresent(name -> giveBack(name, untilMs)));
    lease.tokenOfEngine.ifPresent(
        untilMs -> ofEngine(lease.job).ifPresent(bucket -> giveBack(bucket, untilMs)));
  }

  private void giveBack(Name name, long owedUntilMs) {
    bucket(name).ifPresent(bucket -> giveBack(bucket, owedUntilMs));
  }

  private static void giveBack(Bucket bucket, long owedUntilMs) {
    long owed = Math.max(0, owedUntilMs - bucket.atMs) * bucket.limit.count();
    bucket.owed = Math.max(0, bucket.owed - Math.min(bucket.per(), owed));
  }

  /** As much is owed as before, at most all that the new limit keeps; nothing without a limit. */
  void changed(QueueName queue) {
    buckets.keySet().removeIf(name -> name.queue().equals(queue) && limit(name).isEmpty());
    buckets.forEach(
        (name, bucket) -> {
          if (name.queue().equals(queue)) {
            bucket.passTo(model.time.steadyMs());
            long oldPer = bucket.per();
            bucket.limit = limit(name).orElseThrow();
            long owed = (bucket.owed * bucket.per() + oldPer - 1) / oldPer;
            bucket.owed = Math.min(owed, bucket.limit.burst() * bucket.per());
          }
        });
  }

  /** The engine stops: all buckets are full, and no lease has anything to give back. */
  void clear() {
    buckets.clear();
    ofEngine.clear();
    for (ModelJob job : model.jobs.values()) {
      job.lease.ifPresent(
          lease -> {
            lease.tokenOfQueue = OptionalLong.empty();
            lease.tokenOfKey = OptionalLong.empty();
            lease.tokenOfEngine = OptionalLong.empty();
          });
    }
  }

  /** When, on the monotonic clock, a token comes to a bucket that has none. */
  public LongStream tokensMonotonicMs() {
    List<Bucket> all = new ArrayList<>(buckets.values());
    all.addAll(ofEngine.values());
    all.forEach(bucket -> bucket.passTo(model.time.steadyMs()));
    return all.stream()
        .filter(bucket -> !bucket.hasToken())
        .mapToLong(
            bucket -> {
              long excess = bucket.owed + bucket.per() - bucket.limit.burst() * bucket.per();
              int count = bucket.limit.count();
              return model.time.monotonicMs() + (excess + count - 1) / count;
            });
  }
}
