package io.millrace.client;

import io.grpc.Channel;
import io.grpc.ChannelCredentials;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.millrace.protocol.EventLoops;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The ways to the servers that a client knows, of which each is tried in turn. Any thread. */
final class Channels implements AutoCloseable {

  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  /** The most bytes of an answer: no limit, for that is the server's affair. */
  private static final int MESSAGE_BYTES_MAX = Integer.MAX_VALUE;

  private static final long CLOSING_MS = 1_000;

  /** A way to a server. */
  record Way(String address, ManagedChannel managed, Channel channel) {}

  private final List<Way> ways = new ArrayList<>();
  private int nextIndex;

  /**
   * Creates the ways, and connects nowhere.
   *
   * @param addresses {@code HOST:PORT}
   * @param tls empty for connections that are not encrypted
   * @param threads of the connections
   */
  Channels(
      List<String> addresses,
      Optional<ChannelCredentials> tls,
      Optional<String> token,
      EventLoops threads) {
    Metadata headers = new Metadata();
    token.ifPresent(it -> headers.put(AUTHORIZATION, "Bearer " + it));
    ClientInterceptor withHeaders = MetadataUtils.newAttachHeadersInterceptor(headers);
    for (String address : addresses) {
      ManagedChannel managed =
          NettyChannelBuilder.forTarget(
                  "dns:///" + address, tls.orElseGet(InsecureChannelCredentials::create))
              // What comes is handled on the thread of the connection.
              .directExecutor()
              .eventLoopGroup(threads.group())
              .channelType(EventLoops.channels())
              .flowControlWindow(EventLoops.WINDOW_BYTES)
              .maxInboundMessageSize(MESSAGE_BYTES_MAX)
              // A server that has gone without a word is noticed.
              .keepAliveTime(10, TimeUnit.SECONDS)
              .keepAliveTimeout(5, TimeUnit.SECONDS)
              .disableRetry()
              .build();
      ways.add(new Way(address, managed, ClientInterceptors.intercept(managed, withHeaders)));
    }
  }

  /** Returns the way to the next server, which is tried at once if it was in vain before. */
  synchronized Way next() {
    Way way = ways.get(nextIndex);
    nextIndex = (nextIndex + 1) % ways.size();
    way.managed().resetConnectBackoff();
    return way;
  }

  /** Closes the connections, after what was sent has gone out. */
  @Override
  public void close() {
    ways.forEach(way -> way.managed().shutdown());
    try {
      for (Way way : ways) {
        if (!way.managed().awaitTermination(CLOSING_MS, TimeUnit.MILLISECONDS)) {
          way.managed().shutdownNow();
        }
      }
    } catch (InterruptedException e) {
      ways.forEach(way -> way.managed().shutdownNow());
      Thread.currentThread().interrupt();
    }
  }
}
