package io.millrace.console.browser;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import io.millrace.console.Console;
import io.millrace.console.ConsoleSetup;
import io.millrace.engine.JobEngine;
import java.net.URI;
import java.time.Duration;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** An engine whose console the browser shows. */
final class Shown implements AutoCloseable {

  static final String OPERATE = "operate-0123456789";
  static final String READ = "read-0123456789abc";
  static final Duration LEASE = Duration.ofMinutes(10);

  final JobEngine engine;
  final Console console;
  private final @Nullable Chrome chrome;

  Shown(Chrome chrome, JobEngine engine) {
    this(chrome, engine, setup -> setup);
  }

  Shown(@Nullable Chrome chrome, JobEngine engine, UnaryOperator<ConsoleSetup> more) {
    this.chrome = chrome;
    this.engine = engine;
    this.console =
        more.apply(Console.on(engine).name("Orders").token(OPERATE).readToken(READ)).start();
  }

  /** Returns a console at which nobody looks. */
  static Shown withoutBrowser() {
    return new Shown(null, inMemory(), setup -> setup);
  }

  static JobEngine inMemory() {
    EngineOptions options =
        EngineOptions.DEFAULT.management(EngineOptions.Management.OFF).closeAtShutdown(false);
    return JobEngine.open("memory:console-" + UUID.randomUUID(), options);
  }

  /** Comes in by the link that the console prints. */
  Shown enter() {
    chrome.open(console.link());
    return this;
  }

  /** Comes in as one who may only look. */
  Shown enterAsReader() {
    chrome.open(uri("/login"));
    chrome.fill("token", READ);
    chrome.enter("token");
    return this;
  }

  URI uri(String path) {
    return URI.create(console.uri() + path.substring(1));
  }

  /** Opens a page by its address. */
  void open(String path) {
    chrome.open(uri(path));
  }

  void open(JobId job) {
    open("/jobs/" + job);
  }

  JobId enqueue(String queue, String payload) {
    return enqueue(queue, payload, EnqueueOptions.DEFAULT);
  }

  JobId enqueue(String queue, String payload, EnqueueOptions options) {
    return enqueue(QueueName.of(queue), payload, options);
  }

  JobId enqueue(QueueName queue, String payload, EnqueueOptions options) {
    return engine.queue(queue).enqueue(payload.getBytes(UTF_8), options).jobId();
  }

  Lease claim(String queue) {
    return engine.queue(queue).claim("worker-1", LEASE).orElseThrow();
  }

  /** Makes a dead letter of the next job of a queue. */
  JobId die(String queue, String error) {
    Lease lease = claim(queue);
    lease.fail(error, FailOptions.PERMANENT).orThrow();
    return lease.jobId();
  }

  /** Enqueues a job and makes a dead letter of it. */
  JobId dead(String queue, String error) {
    enqueue(queue, "{\"to\": \"ada@example.org\"}");
    return die(queue, error);
  }

  JobState state(JobId id) {
    return engine.get(id).map(Job::state).orElseThrow();
  }

  @Override
  public void close() {
    console.close();
    engine.close();
  }
}
