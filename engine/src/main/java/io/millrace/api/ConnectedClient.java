package io.millrace.api;

import java.time.Instant;

/**
 * A program in another process that is connected to a server of queues, as it was when it was read.
 * Immutable. Only Millrace implements this interface, and accessors may be added.
 */
public interface ConnectedClient {

  /** Returns what the client says of itself: its host and its process. */
  String described();

  /** Returns the version of Millrace that it has; empty if it does not say. */
  String version();

  /** Returns the address from which it is, or was at last, connected. */
  String address();

  /** Returns when the server first saw it. */
  Instant since();

  /**
   * Tells whether it has a connection now. Otherwise its connection broke a moment ago, and it is
   * remembered in case it comes again.
   */
  boolean isConnected();

  /** Returns the number of its calls that are under way, claims that wait for jobs included. */
  int callCount();

  /** Returns the number of job leases that it holds, as it told at last: about a second ago. */
  int leaseCount();
}
