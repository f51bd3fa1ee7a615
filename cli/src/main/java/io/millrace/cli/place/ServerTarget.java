package io.millrace.cli.place;

import io.millrace.api.ConnectedClient;
import io.millrace.api.EngineMetrics;
import io.millrace.api.JobQueues;
import io.millrace.api.JobReader;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.cli.command.CannotException;
import io.millrace.cli.command.NeedsStoreException;
import io.millrace.client.ClientOptions;
import io.millrace.client.RemoteQueues;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * A store that a server has open, on this host or another, and that is asked through the server.
 */
public final class ServerTarget extends QueuesTarget implements LiveTarget {

  private final RemoteQueues queues;

  private ServerTarget(String location, RemoteQueues queues) {
    super(location);
    this.queues = queues;
  }

  /**
   * Connects to the server.
   *
   * @param location such as {@code millrace://localhost:7171}
   * @throws IllegalArgumentException the location, or an option, is wrong
   * @throws io.millrace.MillraceException no server was reached, or it refuses this client
   */
  public static ServerTarget connect(String location, ClientOptions options) {
    return new ServerTarget(location, RemoteQueues.connect(location, options));
  }

  @Override
  public EngineMetrics metrics() {
    return ask(queues::metrics);
  }

  @Override
  public OptionalLong process() {
    return OptionalLong.empty();
  }

  /** Returns the programs that are connected to the server, this one included. */
  public List<ConnectedClient> clients() {
    return ask(queues::clients);
  }

  @Override
  public void backup(Path folder) {
    throw new NeedsStoreException(location());
  }

  @Override
  JobReader reading() {
    return queues;
  }

  @Override
  JobQueues changing() {
    return queues;
  }

  @Override
  <T> T ask(Supplier<T> question) {
    try {
      return question.get();
    } catch (IllegalArgumentException e) {
      throw new CannotException("the server refuses that: " + e.getMessage(), e);
    } catch (OutcomeUnknownException e) {
      throw new CannotException(
          "nobody knows whether that happened; look, and run the command again if it did not: "
              + e.getMessage(),
          e);
    }
  }

  @Override
  public void close() {
    queues.close();
  }
}
