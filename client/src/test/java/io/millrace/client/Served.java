package io.millrace.client;

import io.millrace.engine.JobEngine;
import io.millrace.server.Server;
import java.util.UUID;

/** An engine in memory, a server of it on this machine, and the same queues through that. */
final class Served implements AutoCloseable {

  private final JobEngine engine = JobEngine.open("memory:client-" + UUID.randomUUID());
  private final Server server = Server.on(engine).listen("127.0.0.1:0");
  private final UnaryCalls calls = new UnaryCalls(server.port());
  private final TestQueues queues = new TestQueues(Caller.of(calls, System::nanoTime));

  JobEngine engine() {
    return engine;
  }

  Server server() {
    return server;
  }

  UnaryCalls calls() {
    return calls;
  }

  TestQueues queues() {
    return queues;
  }

  @Override
  public void close() {
    queues.close();
    calls.close();
    server.close();
    engine.close();
  }
}
