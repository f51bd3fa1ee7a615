package io.millrace.console;

import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.Lease;
import io.millrace.console.access.Guard;
import io.millrace.console.hook.AccessCheck;
import io.millrace.console.hook.AuditEntry;
import io.millrace.console.http.Parameters;
import io.millrace.console.http.Request;
import io.millrace.console.http.Response;
import io.millrace.console.live.History;
import io.millrace.console.source.LocalChanges;
import io.millrace.console.source.LocalSource;
import io.millrace.console.source.Source;
import io.millrace.engine.JobEngine;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.FaultyStore;
import io.millrace.worker.Worker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** An engine in memory with a console that is asked without a server. */
final class ConsoleRig implements AutoCloseable {

  static final String OPERATE = "operate-0123456789";
  static final String READ = "read-0123456789abc";

  final AtomicLong nowNs = new AtomicLong();
  final List<AuditEntry> audited = new CopyOnWriteArrayList<>();
  final FaultyStore machine = new FaultyStore(1);
  final JobEngine engine;
  final App app;

  ConsoleRig(Worker... workers) {
    this(open(new FaultyStore(1)), workers);
  }

  ConsoleRig(Consumer<AuditEntry> audit) {
    this(open(new FaultyStore(1)), Optional.empty(), Optional.of(audit));
  }

  ConsoleRig(JobEngine engine, Worker... workers) {
    this(engine, Optional.empty(), Optional.empty(), workers);
  }

  private ConsoleRig(
      JobEngine engine,
      Optional<AccessCheck> check,
      Optional<Consumer<AuditEntry>> audit,
      Worker... workers) {
    this.engine = engine;
    Optional<JobEngine> here = Optional.of(engine);
    List<Worker> all = List.of(workers);
    Source source =
        new LocalSource(engine, here, Optional.of(new LocalChanges(engine, here, all)), all);
    app =
        new App(
            new App.Setup("Orders", OPERATE, false, Optional.empty(), audit.orElse(audited::add)),
            source,
            new Guard(
                new Guard.Tokens(OPERATE, Optional.of(READ)),
                check,
                Set.of("ops.example.org"),
                nowNs::get),
            new History(source, Optional.of(engine), History.STEP));
  }

  /** Returns a console with an application's own check. */
  static ConsoleRig checkedBy(AccessCheck check) {
    return new ConsoleRig(open(new FaultyStore(1)), Optional.of(check), Optional.empty());
  }

  static JobEngine open(FaultyStore machine) {
    return JobEngine.open(
        machine,
        StoreOptions.of(Path.of("console")),
        EngineOptions.DEFAULT.reopenAfter(List.of()).management(EngineOptions.Management.OFF));
  }

  JobId enqueue(String queue, String payload) {
    return enqueue(queue, payload, EnqueueOptions.DEFAULT);
  }

  JobId enqueue(String queue, String payload, EnqueueOptions options) {
    return engine.queue(queue).enqueue(payload.getBytes(StandardCharsets.UTF_8), options).jobId();
  }

  /** Makes a dead letter of the next job of a queue. */
  JobId die(String queue, String error) {
    Lease lease = engine.queue(queue).claim("worker-1", Duration.ofSeconds(30)).orElseThrow();
    lease.fail(error, FailOptions.PERMANENT).orThrow();
    return lease.jobId();
  }

  /** Asks as a program that may change things. */
  Response get(String path) {
    return app.answer(request("GET", path, Map.of("authorization", "Bearer " + OPERATE), ""));
  }

  Response post(String path, String form) {
    return app.answer(request("POST", path, Map.of("authorization", "Bearer " + OPERATE), form));
  }

  static Request request(String method, String path, Map<String, String> headers, String form) {
    Map<String, List<String>> all = new HashMap<>();
    all.put("host", List.of("127.0.0.1:7070"));
    headers.forEach((name, value) -> all.put(name, List.of(value)));
    if (!form.isEmpty()) {
      all.putIfAbsent("content-type", List.of("application/x-www-form-urlencoded"));
    }
    int question = path.indexOf('?');
    String query = question < 0 ? "" : path.substring(question + 1);
    return new Request(
        method,
        "",
        question < 0 ? path : path.substring(0, question),
        Parameters.parse(query),
        all,
        form.getBytes(StandardCharsets.UTF_8),
        Optional.of("127.0.0.1"),
        false);
  }

  /** Returns a request as it comes from another address. */
  static Request from(String address, Request request) {
    return new Request(
        request.method(),
        request.base(),
        request.rawPath(),
        request.query(),
        request.headers(),
        request.body(),
        Optional.of(address),
        request.isSecure());
  }

  static String text(Response response) {
    return new String(response.body(), StandardCharsets.UTF_8);
  }

  /** Logs in, and returns the headers of a browser that has the cookie. */
  Map<String, String> loggedIn(String token) {
    Response response = app.answer(request("POST", "/login", Map.of(), "token=" + token));
    String cookie = String.valueOf(response.headers().get("Set-Cookie")).split(";")[0];
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("cookie", cookie);
    return headers;
  }

  @Override
  public void close() {
    app.close();
    engine.close();
  }
}
