package io.millrace.server;

import java.util.Set;

/** The failures of which a server tells its callers. */
public final class ToldKinds {

  private ToldKinds() {}

  /** Returns the exceptions for which the server has a code of its own. */
  public static Set<Class<?>> exceptions() {
    return Failure.coded();
  }

  /** Returns the name by which callers are told of the exception. */
  public static String kind(Throwable thrown) {
    return Failure.of(thrown).kind();
  }
}
