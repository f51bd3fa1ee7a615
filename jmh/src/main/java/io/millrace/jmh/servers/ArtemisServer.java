package io.millrace.jmh.servers;

import io.millrace.jmh.load.JavaCommand;
import io.millrace.jmh.load.LoadOptions;
import io.millrace.jmh.load.Payloads;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;

/** Artemis, by its own protocol. */
final class ArtemisServer implements ServerPeer {

  private static final String QUEUE = "load";

  @Override
  public String name() {
    return "artemis";
  }

  @Override
  public String setting() {
    return ("core protocol, durable messages, NIO journal, synced, buffer timeout %d µs; blocking"
            + " sends, blocking acknowledgement of each message, prefetch as by default; one"
            + " connection, a session for each caller, batches by transacted sessions")
        .formatted(ArtemisMain.BUFFER_TIMEOUT.toNanos() / 1_000);
  }

  @Override
  public Running start(Path folder, LoadOptions options) {
    int port = ServerProcess.freePort();
    return ServerProcess.start(
            folder,
            port,
            JavaCommand.of(ArtemisMain.class, folder.toString(), String.valueOf(port)))
        .called(() -> made(() -> new Calls(port, options)));
  }

  /** A call of Artemis that a server may fail. */
  private interface Call<R> {
    R make() throws Exception;
  }

  private static <R> R made(Call<R> call) {
    try {
      return call.make();
    } catch (Exception e) {
      throw new IllegalStateException("a call of Artemis failed", e);
    }
  }

  /** A session of a caller that enqueues. */
  private record Sending(ClientSession session, ClientProducer producer) implements AutoCloseable {
    @Override
    public void close() {
      CloseHelper.closeAll(producer, session);
    }
  }

  /** A session of a caller that claims. */
  private record Receiving(ClientSession session, ClientConsumer consumer)
      implements AutoCloseable {
    @Override
    public void close() {
      CloseHelper.closeAll(consumer, session);
    }
  }

  private static final class Calls extends BlockingTarget {

    private final boolean isTransacted;
    private final ServerLocator locator;
    private final ClientSessionFactory connection;
    private final Connections<Sending> senders = new Connections<>(() -> made(this::sending));
    private final Connections<Receiving> receivers = new Connections<>(() -> made(this::receiving));

    Calls(int port, LoadOptions options) throws Exception {
      isTransacted = options.callers().batchCount() > 1;
      locator =
          ActiveMQClient.createServerLocator("tcp://127.0.0.1:" + port)
              // Those of a transaction are answered by its commit.
              .setBlockOnDurableSend(!isTransacted)
              .setBlockOnAcknowledge(true);
      connection = locator.createSessionFactory();
      try (ClientSession session = connection.createSession()) {
        session.createSharedQueue(QueueConfiguration.of(QUEUE).setRoutingType(RoutingType.ANYCAST));
      }
    }

    private Sending sending() throws Exception {
      ClientSession session = connection.createSession(!isTransacted, true);
      return new Sending(session, session.createProducer(QUEUE));
    }

    private Receiving receiving() throws Exception {
      // With 0 bytes of acknowledgements gathered: each goes at once.
      ClientSession session = connection.createSession(true, true, 0);
      ClientConsumer consumer = session.createConsumer(QUEUE);
      session.start();
      return new Receiving(session, consumer);
    }

    @Override
    public void enqueue(List<byte[]> payloads) {
      Sending sender = senders.take();
      made(
          () -> {
            for (byte[] payload : payloads) {
              ClientMessage message = sender.session.createMessage(true);
              message.getBodyBuffer().writeBytes(payload);
              sender.producer.send(message);
            }
            if (isTransacted) {
              sender.session.commit();
            }
            return true;
          });
      senders.giveBack(sender);
    }

    @Override
    public Claimed claim(int max) {
      Receiving receiver = receivers.take();
      List<ClientMessage> messages = made(() -> receive(receiver.consumer, max));
      if (messages.isEmpty()) {
        receivers.giveBack(receiver);
        return Handed.NONE;
      }
      return new Handed(
          messages.stream().mapToLong(Calls::number).toArray(),
          () -> {
            made(() -> acknowledge(messages));
            receivers.giveBack(receiver);
          });
    }

    private static List<ClientMessage> receive(ClientConsumer consumer, int max)
        throws ActiveMQException {
      List<ClientMessage> messages = new ArrayList<>();
      ClientMessage next = consumer.receive(CLAIM_WAIT.toMillis());
      while (next != null) {
        messages.add(next);
        next = messages.size() < max ? consumer.receiveImmediate() : null;
      }
      return messages;
    }

    private static long number(ClientMessage message) {
      byte[] payload = new byte[message.getBodySize()];
      message.getBodyBuffer().readBytes(payload);
      return Payloads.number(payload);
    }

    private static ClientMessage acknowledge(List<ClientMessage> messages)
        throws ActiveMQException {
      ClientMessage last = messages.get(messages.size() - 1);
      // That of the last one is for all before it as well, in one transaction of the server.
      return messages.size() == 1 ? last.individualAcknowledge() : last.acknowledge();
    }

    @Override
    public void close() {
      CloseHelper.closeAll(senders, receivers, connection, locator);
    }
  }
}
