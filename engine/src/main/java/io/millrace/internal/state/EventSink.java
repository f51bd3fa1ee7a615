package io.millrace.internal.state;

import io.millrace.api.JobEvent;
import io.millrace.api.QueueName;

/** A listener as seen by the commit loop, which calls these methods. They never wait or fail. */
public interface EventSink {

  /** Tells whether the listener is to be told of events of this kind in the queue. */
  boolean wants(JobEvent.Kind kind, QueueName queue);

  /** Takes an event that the listener wants: it is soon told the event, or has missed it. */
  void take(JobEvent event);

  /** Notes that so many events which the listener wants may have happened, and nobody knows. */
  void miss(long count);

  /** Returns how many events the listener is yet to be told. May be called by any thread. */
  int waitingCount();

  /** Wakes the listener's thread if it has taken events; no more come for now. */
  void wake();
}
