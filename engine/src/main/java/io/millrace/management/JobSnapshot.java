package io.millrace.management;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A job as it was when it was looked at. */
public interface JobSnapshot {

  String getId();

  String getQueue();

  /** Empty for the default tenant. */
  String getTenant();

  String getState();

  /** What kind of work it is; the queue's name if nothing else was said. */
  String getType();

  /** The unique key that it was enqueued with; null if there was none. */
  @Nullable String getUniqueKey();

  int getPriority();

  int getWeight();

  byte[] getPayload();

  /** What the last checkpoint kept; null if there was none. */
  byte @Nullable [] getCheckpointed();

  Map<String, String> getHeaders();

  /** What the job is not worked on together with in its queue; null if its enqueue did not say. */
  @Nullable String getConcurrencyKey();

  /** The same over all queues of the engine. */
  @Nullable String getEngineConcurrencyKey();

  /** How many jobs of that key may be ready or leased for this one to go on. */
  @Nullable Integer getEngineConcurrencyMost();

  /** Whose starts count together with this job's, in all queues; null if there is no such limit. */
  @Nullable String getEngineRateKey();

  /** How many of them there may be in a time, as {@code 100/PT1S burst 10}. */
  @Nullable String getEngineRateLimit();

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

  /** When a job was completed that is kept for its result, epoch ms. */
  @Nullable Long getCompletedAtMs();

  /** What it was completed with. */
  byte @Nullable [] getResult();

  /** When the job will be removed for its time to live or retention, epoch ms. */
  @Nullable Long getExpiresAtMs();

  /** The signal that it waits for; null if it does not wait for one. */
  @Nullable String getSignal();

  /** Since when it waits for that; null if it does not. */
  @Nullable Long getSignalSinceMs();

  /** When it goes on without that; null if never, or if it does not wait. */
  @Nullable Long getSignalDeadlineMs();

  /** The newest finished attempts, the oldest first; not in pages. */
  List<AttemptSnapshot> getHistory();
}
