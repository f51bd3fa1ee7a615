package io.millrace.console;

import io.millrace.api.JobQueues;
import io.millrace.api.JobReader;
import io.millrace.engine.JobEngine;
import java.net.URI;
import java.util.Optional;

/**
 * A console in the browser for a store: its queues and jobs, and what goes on with them. Runs in
 * the process that has the store open, until it is closed. Any thread may use it.
 *
 * <pre>{@code
 * try (Console console = Console.on(engine).worker(worker).port(7070).start()) {
 *   System.out.println(console.link());
 *   ...
 * }
 * }</pre>
 *
 * <p>It listens on the loopback address and lets in who has a token, unless it is told otherwise.
 * It must be closed before the engine is, or it shows that the engine is closed. As long as it
 * runs, it looks at the first thousand queues each five seconds, and listens to all jobs; a store
 * without a console pays nothing.
 */
public interface Console extends AutoCloseable {

  /** Sets up a console for an engine: it shows the engine's figures, too, and changes things. */
  static ConsoleSetup on(JobEngine engine) {
    return new ConsoleSetup(engine, Optional.of(engine), Optional.of(engine));
  }

  /** Sets up a console for queues, wherever their engine is. */
  static ConsoleSetup on(JobQueues queues) {
    return new ConsoleSetup(queues, Optional.of(queues), Optional.empty());
  }

  /** Sets up a console for a store that is only read. */
  static ConsoleSetup on(JobReader reader) {
    return new ConsoleSetup(reader, Optional.empty(), Optional.empty());
  }

  /** Returns the address of the console, such as {@code http://127.0.0.1:7070/}. */
  URI uri();

  /**
   * Returns the address with the token of who may change things: it lets in who opens it. Without
   * tokens it is {@link #uri}.
   */
  URI link();

  /** Returns the token of who may change things; the one that was set, or one made by chance. */
  String token();

  /** Ends the console: requests under way are cut off. A further call does nothing. */
  @Override
  void close();
}
