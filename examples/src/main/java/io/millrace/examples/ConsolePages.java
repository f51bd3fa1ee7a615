package io.millrace.examples;

import com.sun.net.httpserver.HttpServer;
import io.millrace.console.Console;
import io.millrace.console.HandledConsole;
import io.millrace.console.hook.Role;
import io.millrace.console.hook.Visitor;
import io.millrace.engine.JobEngine;
import io.millrace.worker.Worker;
import java.net.URI;
import java.util.function.Function;

/** The examples of docs/console.md. */
final class ConsolePages {

  private ConsolePages() {}

  static <T> T served(JobEngine engine, Worker worker, Function<URI, T> visit) {
    // region console
    try (Console console = Console.on(engine).worker(worker).name("Orders").start()) {
      return visit.apply(console.link());
    }
    // endregion
  }

  static HandledConsole handled(JobEngine engine, HttpServer server) {
    // region console-handler
    HandledConsole console =
        Console.on(engine)
            .access(request -> request.header("x-user").map(user -> new Visitor(user, Role.READ)))
            .host("ops.example.org")
            .handler();
    server.createContext("/millrace", console);
    // endregion
    return console;
  }
}
