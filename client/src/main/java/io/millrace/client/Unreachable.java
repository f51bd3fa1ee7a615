package io.millrace.client;

import io.grpc.Status;
import io.grpc.netty.shaded.io.netty.handler.ssl.NotSslRecordException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The reasons why a server is not reached, or why one ends a stream, in words. */
final class Unreachable {

  /** The words of gRPC that say less than their cause. */
  private static final Set<String> NO_REASONS = Set.of("io exception", "http2 exception");

  private Unreachable() {}

  /** Returns the reason for a stream's end. */
  static String text(Status status) {
    if (status.getCode() == Status.Code.UNIMPLEMENTED) {
      return "there is another server, or one of an older version";
    }
    if (status.getCode() == Status.Code.UNAUTHENTICATED) {
      return "the token is missing or unknown; set ClientOptions.token";
    }
    Throwable cause = status.getCause();
    if (isUntrusted(cause)) {
      boolean isExpired = find(cause, CertificateExpiredException.class).isPresent();
      return "the server's certificate "
          + (isExpired ? "has expired: " : "is not accepted: ")
          + root(cause).getMessage();
    }
    if (find(cause, NotSslRecordException.class).isPresent()) {
      return "the server does not speak TLS";
    }
    return withHint(withCause(status));
  }

  private static String withCause(Status status) {
    String description = status.getDescription();
    String told =
        description == null
            ? status.getCode().name()
            : description.lines().findFirst().orElse("no reason");
    Throwable cause = status.getCause();
    String why = cause == null ? null : root(cause).getMessage();
    if (why == null) {
      return told;
    }
    return NO_REASONS.contains(told) ? why : told + ": " + why;
  }

  private static String withHint(String told) {
    if (told.startsWith("First received frame was not SETTINGS")) {
      return "what answers there is no server of Millrace, or only its port of HTTP";
    }
    // Which of the two depends on how much of the client's first words the server had read.
    return told.startsWith("Network closed") || told.contains("Connection reset")
        ? told + "; a server that speaks TLS does so, set ClientOptions.tls"
        : told;
  }

  /** Tells whether the client does not accept the server's certificate. */
  static boolean isUntrusted(@Nullable Throwable thrown) {
    return find(thrown, CertificateException.class).isPresent();
  }

  private static <E extends Throwable> Optional<E> find(@Nullable Throwable thrown, Class<E> type) {
    for (Throwable each = thrown; each != null; each = each.getCause()) {
      if (type.isInstance(each)) {
        return Optional.of(type.cast(each));
      }
    }
    return Optional.empty();
  }

  private static Throwable root(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }
}
