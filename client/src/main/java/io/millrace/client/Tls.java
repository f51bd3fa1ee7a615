package io.millrace.client;

import io.grpc.ChannelCredentials;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.millrace.MillraceException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The encryption that options ask for. */
final class Tls {

  private Tls() {}

  /**
   * Returns how connections are encrypted; empty if they are not.
   *
   * @throws IllegalArgumentException the certificates cannot be read
   * @throws MillraceException they have expired
   */
  static Optional<ChannelCredentials> credentials(ClientOptions options) {
    if (!options.isTls()) {
      return Optional.empty();
    }
    if (options.trusted().isEmpty()) {
      return Optional.of(TlsChannelCredentials.create());
    }
    Path trusted = options.trusted().get();
    ChannelCredentials credentials = credentials(trusted);
    refuseExpired(trusted);
    return Optional.of(credentials);
  }

  private static ChannelCredentials credentials(Path trusted) {
    try {
      ChannelCredentials credentials =
          TlsChannelCredentials.newBuilder().trustManager(trusted.toFile()).build();
      // Netty looks into them here, and else when the client connects.
      var unused = NettyChannelBuilder.forAddress("127.0.0.1", 1, credentials);
      return credentials;
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "certificates cannot be read, they must be PEM: trusted="
              + trusted
              + ": "
              + e.getMessage(),
          e);
    }
  }

  /**
   * Refuses a file whose certificates have all expired: Java itself does not look at the time of
   * those that it is told to trust.
   */
  private static void refuseExpired(Path trusted) {
    Instant now = Instant.now();
    List<Instant> ends = new ArrayList<>();
    try (InputStream in = Files.newInputStream(trusted)) {
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        ends.add(((X509Certificate) each).getNotAfter().toInstant());
      }
    } catch (IOException | CertificateException e) {
      throw new IllegalArgumentException(
          "certificates cannot be read: trusted=" + trusted + ": " + e.getMessage(), e);
    }
    if (!ends.isEmpty() && ends.stream().allMatch(now::isAfter)) {
      throw new MillraceException(
          "certificates have expired: trusted="
              + trusted
              + ", until="
              + Collections.max(ends)
              + "; take those that vouch for the server now");
    }
  }
}
