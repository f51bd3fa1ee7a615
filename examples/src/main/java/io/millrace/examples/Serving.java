package io.millrace.examples;

import io.millrace.api.Codec;
import io.millrace.api.JobEnd;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.api.ResultJobType;
import io.millrace.api.Submitted;
import io.millrace.api.Table;
import io.millrace.client.RemoteQueues;
import io.millrace.engine.JobEngine;
import io.millrace.server.Role;
import io.millrace.server.Server;
import io.millrace.server.ServerSetup;
import io.millrace.worker.Worker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/** The examples of docs/server.md. */
final class Serving {

  private static final ResultJobType<String, String> GREET =
      JobType.of("greet", Codec.TEXT).queue("greetings").returning(Codec.TEXT);

  private Serving() {}

  static Server served(JobEngine engine, String address) {
    // region server
    Server server = Server.on(engine).listen(address); // such as 127.0.0.1:7171
    // endregion
    return server;
  }

  static ServerSetup forOthers(
      JobEngine engine, Path certificates, Path key, String shop, String workers) {
    // region server-beyond
    ServerSetup setup =
        Server.on(engine)
            .tls(certificates, key)
            .token(shop, Set.of(Role.ENQUEUE), Set.of("orders", "letters-*"))
            .token(workers, Set.of(Role.ENQUEUE, Role.WORK, Role.READ));
    // endregion
    return setup; // .listen("10.0.0.5:7171")
  }

  static JobEnd<String> greeted(String location) throws Exception {
    // region client
    try (RemoteQueues queues = RemoteQueues.connect(location)) { // such as millrace://localhost
      Submitted<String> greeting = queues.submit(GREET, "Ada");
      return greeting.end().get(); // Completed[result=Hello, Ada]
    }
    // endregion
  }

  static RemoteQueues trusted(String location, String token, Path certificates) {
    // region client-options
    RemoteQueues queues =
        RemoteQueues.connect(
            location, o -> o.token(token).tls(certificates).callTimeout(Duration.ofSeconds(20)));
    // endregion
    return queues;
  }

  static Worker worker(JobQueues queues) {
    // region client-worker
    Table<String, Long> greeted = queues.table("greeted", Codec.TEXT, Codec.LONG);
    Worker worker =
        Worker.on(queues)
            .compute(
                GREET,
                (name, job) -> {
                  queues
                      .inTransaction(
                          tx -> tx.put(greeted, name, tx.get(greeted, name).orElse(0L) + 1))
                      .orThrow();
                  return "Hello, " + name;
                })
            .start();
    // endregion
    return worker;
  }
}
