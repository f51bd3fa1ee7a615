package io.millrace.server;

import com.google.gson.JsonObject;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operations by HTTP, their messages as JSON: {@code POST /v1/enqueue}. Names and values are as
 * protobuf's own mapping has them. Any thread.
 */
final class HttpCalls implements HttpHandler {

  private static final Logger LOG = LoggerFactory.getLogger(Server.class);

  private static final String PATH = "/v1/";
  private static final String DESCRIPTION_PATH = PATH + "openapi.json";

  private static final Pattern LOOPBACK =
      Pattern.compile("(localhost|127(\\.\\d{1,3}){3}|\\[::1])(:\\d+)?", Pattern.CASE_INSENSITIVE);

  private static final JsonFormat.Printer PRINTER =
      JsonFormat.printer().omittingInsignificantWhitespace().alwaysPrintFieldsWithNoPresence();
  private static final JsonFormat.Parser PARSER = JsonFormat.parser();

  private final Dispatch dispatch;
  private final Access access;
  private final Executor threads;
  private final Patience patience;
  private final int messageBytesMax;
  private final Map<String, Handler<?, ?>> byPath = new HashMap<>();

  /**
   * Creates the operations by HTTP.
   *
   * @param threads on which calls are carried out and answered: who waits for jobs holds none
   * @param patience how long those are waited for who take an answer
   */
  HttpCalls(
      Dispatch dispatch, Access access, int messageBytesMax, Executor threads, Patience patience) {
    this.dispatch = dispatch;
    this.patience = patience;
    this.threads = threads;
    this.access = access;
    this.messageBytesMax = messageBytesMax;
    dispatch.handlers().forEach((name, handler) -> byPath.put(path(name), handler));
  }

  /** Returns the path of an operation: {@code /v1/delete-all-dead}. */
  static String path(String operation) {
    return PATH + operation.replaceAll("(?<=.)([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    Handler<?, ?> handler = byPath.get(path);
    Optional<Rights> rights =
        access.rights(Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization")));
    if (rights.isEmpty()) {
      exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
      refuse(
          exchange,
          401,
          "Unauthenticated",
          "the token is missing or unknown: send the header Authorization: Bearer TOKEN");
    } else if (!access.isTokenNeeded() && !isForLoopback(exchange)) {
      // A page from elsewhere whose name was made to mean this machine sends its own name.
      refuse(exchange, 403, "NotAllowed", "the header Host names another machine: use 127.0.0.1");
    } else if (DESCRIPTION_PATH.equals(path) && exchange.getRequestMethod().equals("GET")) {
      send(exchange, 200, OpenApi.document());
    } else if (handler == null) {
      refuse(
          exchange,
          404,
          "NoSuchCall",
          "no call has this path; one is /v1/enqueue, and GET " + DESCRIPTION_PATH + " has all");
    } else if (!exchange.getRequestMethod().equals("POST")) {
      exchange.getResponseHeaders().set("Allow", "POST");
      refuse(exchange, 405, "NoSuchCall", "calls are made by POST");
    } else if (!isJson(exchange)) {
      // A page that is open in some browser cannot send this without being asked.
      refuse(exchange, 415, "NoJson", "send the header Content-Type: application/json");
    } else {
      answer(exchange, handler, rights.get());
    }
  }

  private static boolean isForLoopback(HttpExchange exchange) {
    String host = exchange.getRequestHeaders().getFirst("Host");
    return host != null && LOOPBACK.matcher(host).matches();
  }

  private static boolean isJson(HttpExchange exchange) {
    String type = exchange.getRequestHeaders().getFirst("Content-Type");
    return type != null && type.toLowerCase(Locale.ROOT).matches("application/json\\s*(;.*)?");
  }

  private void answer(HttpExchange exchange, Handler<?, ?> handler, Rights rights)
      throws IOException {
    byte[] body = exchange.getRequestBody().readNBytes(messageBytesMax + 1);
    if (body.length > messageBytesMax) {
      refuse(exchange, 413, "TooLong", "message is too long: most=" + messageBytesMax + " bytes");
      return;
    }
    MethodDescriptor method = handler.operation().method();
    DynamicMessage.Builder request = DynamicMessage.newBuilder(method.getInputType());
    try {
      PARSER.merge(new String(body, StandardCharsets.UTF_8), request);
    } catch (InvalidProtocolBufferException e) {
      refuse(exchange, 400, "IllegalArgument", "body is not the call's JSON: " + e.getMessage());
      return;
    }
    byte[] message = request.build().toByteArray();
    // On another thread: this one's patience is for the request alone.
    CompletableFuture.completedFuture(message)
        .thenComposeAsync(call -> dispatch.carryOut(handler, rights, call), threads)
        .whenCompleteAsync((answer, thrown) -> end(exchange, handler, answer, thrown), threads)
        .whenComplete((answer, thrown) -> exchange.close()); // No thread may have been free.
  }

  private void end(
      HttpExchange exchange,
      Handler<?, ?> handler,
      Handler.@Nullable Told answer,
      @Nullable Throwable thrown) {
    try {
      if (answer == null) {
        Failure failure = dispatch.failure(handler, Objects.requireNonNull(thrown));
        refuse(exchange, failure.httpStatus(), failure.kind(), failure.message());
      } else {
        send(
            exchange,
            200,
            PRINTER.print(
                DynamicMessage.parseFrom(
                    handler.operation().method().getOutputType(), answer.message())));
      }
    } catch (IOException e) {
      LOG.debug("whoever asked has gone", e);
      if (answer != null) {
        answer.takeBack();
      }
    }
  }

  private void refuse(HttpExchange exchange, int status, String kind, String message)
      throws IOException {
    JsonObject error = new JsonObject();
    error.addProperty("error", kind);
    error.addProperty("message", message);
    send(exchange, status, error.toString());
  }

  private void send(HttpExchange exchange, int status, String json) throws IOException {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    patience.during(
        () -> {
          try (exchange) {
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
          }
        });
  }
}
