package io.millrace.engine.jmx;

import io.millrace.api.Backoff;
import io.millrace.management.BackoffSnapshot;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A backoff in the shape that JMX knows. */
record BackoffShown(Backoff backoff) implements BackoffSnapshot {

  @Override
  public String getKind() {
    return backoff.getClass().getSimpleName();
  }

  @Override
  public double getJitter() {
    return backoff.jitter();
  }

  @Override
  public @Nullable Long getInitialMs() {
    if (backoff instanceof Backoff.Exponential exponential) {
      return exponential.initial().toMillis();
    }
    return backoff instanceof Backoff.Linear linear ? linear.initial().toMillis() : null;
  }

  @Override
  public @Nullable Double getMultiplier() {
    return backoff instanceof Backoff.Exponential exponential ? exponential.multiplier() : null;
  }

  @Override
  public @Nullable Long getStepMs() {
    return backoff instanceof Backoff.Linear linear ? linear.step().toMillis() : null;
  }

  @Override
  public @Nullable Long getMaxMs() {
    return backoff instanceof Backoff.Custom ? null : backoff.max().toMillis();
  }

  @Override
  public long @Nullable [] getDelaysMs() {
    return backoff instanceof Backoff.Custom custom
        ? custom.delays().stream().mapToLong(Duration::toMillis).toArray()
        : null;
  }
}
