package io.millrace.jmh.servers;

import io.millrace.cli.Main;
import io.millrace.client.RemoteQueues;
import io.millrace.jmh.load.EngineTarget;
import io.millrace.jmh.load.JavaCommand;
import io.millrace.jmh.load.LoadOptions;
import java.nio.file.Path;

/** Our own server, as {@code ./millrace serve} starts it, called by one client for all callers. */
final class MillraceServer implements ServerPeer {

  private final String name;
  private final int claimsAhead;

  /**
   * Creates a kind of server.
   *
   * @param claimsAhead how many jobs its client claims before they are asked for
   */
  MillraceServer(String name, int claimsAhead) {
    this.name = name;
    this.claimsAhead = claimsAhead;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String setting() {
    return "serve lmdb:STORE, synced; one client for all callers; claimsAhead=" + claimsAhead;
  }

  @Override
  public Running start(Path folder, LoadOptions options) {
    int port = ServerProcess.freePort();
    String store = options.store() + ":" + folder.resolve("store");
    return ServerProcess.start(
            folder,
            port,
            JavaCommand.of(Main.class, "serve", store, "--listen", "127.0.0.1:" + port))
        .called(
            () ->
                EngineTarget.behind(
                    RemoteQueues.connect(
                        "millrace://127.0.0.1:" + port, it -> it.claimsAhead(claimsAhead)),
                    options));
  }
}
