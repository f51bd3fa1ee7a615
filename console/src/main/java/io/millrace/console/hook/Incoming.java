package io.millrace.console.hook;

import java.util.Optional;

/** A request to the console, as an application's own check sees it. Immutable. */
public interface Incoming {

  /** Returns the method, such as {@code GET}. */
  String method();

  /** Returns the path below that of the console, such as {@code /jobs}. */
  String path();

  /** Returns the first value of a header; names are the same in upper and lower case. */
  Optional<String> header(String name);

  /** Returns the value of a cookie. */
  Optional<String> cookie(String name);

  /** Returns the address that the request came from; empty if the server does not tell. */
  Optional<String> remote();
}
