package io.millrace.management;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why a job is not running, or that it is. */
public interface ExplanationSnapshot {

  String getId();

  String getQueue();

  /** Empty for the default tenant. */
  String getTenant();

  /** As {@code JobState}; leased also if the lease is not stored yet. */
  String getState();

  /** All reasons, what holds it longest first. */
  List<ReasonSnapshot> getReasons();

  /** Before when it will not run, epoch ms; null if no time holds it. */
  @Nullable Long getEarliestMs();
}
