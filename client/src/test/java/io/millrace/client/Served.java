package io.millrace.client;

import com.google.protobuf.Descriptors.Descriptor;
import io.millrace.engine.JobEngine;
import io.millrace.server.Server;
import java.util.UUID;
import java.util.function.BiFunction;

/** An engine in memory, a server of it on this machine, and the same queues through that. */
final class Served implements AutoCloseable {

  private final JobEngine engine = JobEngine.open("memory:client-" + UUID.randomUUID());
  private final Server server = Server.on(engine).listen("127.0.0.1:0");
  private final UnaryCalls calls;
  private final TestQueues queues;

  Served() {
    this((type, message) -> message);
  }

  /**
   * Creates the queues.
   *
   * @param answers makes what is received of an answer's message
   */
  Served(BiFunction<Descriptor, byte[], byte[]> answers) {
    calls = new UnaryCalls(server.port(), answers);
    queues = new TestQueues(Caller.of(calls, System::nanoTime));
  }

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
