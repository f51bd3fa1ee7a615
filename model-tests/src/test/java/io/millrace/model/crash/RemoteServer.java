package io.millrace.model.crash;

import io.millrace.api.EngineOptions;
import io.millrace.api.EngineOptions.LeasesAtOpen;
import io.millrace.api.EngineOptions.Management;
import io.millrace.engine.JobEngine;
import io.millrace.server.Server;
import java.io.OutputStream;
import java.time.Duration;
import java.util.logging.LogManager;

/** A process that serves a store until it is killed, or its input ends. */
final class RemoteServer {

  private RemoteServer() {}

  /** Argument: the store's location. It says where it listens, and when it opened the store. */
  public static void main(String[] args) throws Exception {
    LogManager.getLogManager().reset(); // What gRPC says of cuts would bury the results.
    EngineOptions options =
        EngineOptions.DEFAULT
            .leasesAtOpen(LeasesAtOpen.HONOUR)
            .honourGrace(Duration.ofMillis(500))
            .management(Management.OFF);
    long openedUs = Journal.nowUs();
    try (JobEngine engine = JobEngine.open(args[0], options);
        Server server = Server.on(engine).listen("127.0.0.1:0")) {
      System.out.println(server.port() + " " + openedUs);
      System.in.transferTo(OutputStream.nullOutputStream());
    }
  }
}
