package io.millrace.management;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A job as it was when it was looked at. */
public interface JobSnapshot {

  String getId();

  String getQueue();

  /** Empty for the default tenant. */
  String getTenant();

  String getState();

  int getPriority();

  int getWeight();

  byte[] getPayload();

  Map<String, String> getHeaders();

  int getAttempts();

  int getMaxAttempts();

  BackoffSnapshot getBackoff();

  /** Epoch ms. */
  long getEnqueuedAtMs();

  /** When a delayed job will be ready, epoch ms. */
  @Nullable Long getVisibleAtMs();

  @Nullable String getLastError();

  /** When a dead job died, epoch ms. */
  @Nullable Long getDiedAtMs();

  /** Of a leased job. */
  @Nullable LeaseSnapshot getLease();
}
