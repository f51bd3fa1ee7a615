package io.millrace.jmh.servers;

import io.millrace.jmh.load.Peer;
import java.util.List;
import java.util.Optional;

/** A kind of server beside which the engine is measured, each in a process of its own. */
public interface ServerPeer extends Peer {

  /** The jobs claimed ahead: what consumers take while a call is under way, and some more. */
  int CLAIMS_AHEAD = 1_000;

  /** Returns all kinds, in the order in which they are measured. */
  static List<ServerPeer> all() {
    return List.of(
        new MillraceServer("millrace", 0),
        new MillraceServer("millrace-ahead", CLAIMS_AHEAD),
        new BeanstalkdServer("beanstalkd"),
        new RedisServer("redis-server"),
        new ArtemisServer());
  }

  /** Returns what is set, and how it is called, in a line. */
  String setting();

  /** Tells whether several jobs can go in one call. */
  default boolean takesBatches() {
    return true;
  }

  /** Returns what has to be installed before it can be started; empty if nothing has. */
  default Optional<String> missing() {
    return Optional.empty();
  }
}
