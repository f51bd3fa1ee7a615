package io.millrace.client;

import io.grpc.ChannelCredentials;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The encryption that options ask for. */
final class Tls {

  private Tls() {}

  /**
   * Returns how connections are encrypted; empty if they are not.
   *
   * @throws IllegalArgumentException the certificates cannot be read
   */
  static Optional<ChannelCredentials> credentials(ClientOptions options) {
    if (!options.isTls()) {
      return Optional.empty();
    }
    if (options.trusted().isEmpty()) {
      return Optional.of(TlsChannelCredentials.create());
    }
    Path trusted = options.trusted().get();
    try {
      ChannelCredentials credentials =
          TlsChannelCredentials.newBuilder().trustManager(trusted.toFile()).build();
      // Netty looks into them here, and else when the client connects.
      var unused = NettyChannelBuilder.forAddress("127.0.0.1", 1, credentials);
      return Optional.of(credentials);
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "certificates cannot be read, they must be PEM: trusted="
              + trusted
              + ": "
              + e.getMessage(),
          e);
    }
  }
}
