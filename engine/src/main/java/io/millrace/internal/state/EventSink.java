package io.millrace.internal.state;

import io.millrace.api.JobEvent;
import io.millrace.api.QueueName;

/** A listener, as far as the commit loop, which calls this, knows it. Never waits, never fails. */
public interface EventSink {

  /** Whether it is to be told of such events. */
  boolean wants(JobEvent.Kind kind, QueueName queue);

  /** Something happened that it wants to be told; it is soon, or has missed it. */
  void take(JobEvent event);

  /** So many things may have happened that it wants to be told, and nobody knows. */
  void miss(long count);

  /** How many events it is yet to be told; for any thread. */
  int waitingCount();

  /** That is all for now. */
  void wake();
}
