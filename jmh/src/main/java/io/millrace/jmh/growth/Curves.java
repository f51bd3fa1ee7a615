package io.millrace.jmh.growth;

import io.millrace.api.Durability;
import io.millrace.jmh.growth.Curve.Step;
import io.millrace.jmh.growth.Curve.Unit;
import io.millrace.jmh.load.LoadOptions;
import io.millrace.jmh.load.LoadOptions.Callers;
import io.millrace.jmh.load.LoadOptions.LoadOn;
import io.millrace.jmh.load.LoadOptions.Queues;
import io.millrace.jmh.load.LoadOptions.ThreadKind;
import io.millrace.jmh.load.Workload;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** The curves that are measured. Each of their points has a store of its own. */
public final class Curves {

  /** The payload of all jobs but those of the curve over payloads, as in the table. */
  public static final int PAYLOAD_BYTES = 256;

  private static final int CALL_JOB_COUNT = 100;

  /** The payload bytes of a call beyond which it has fewer jobs. */
  private static final int CALL_BYTES = 1 << 20;

  private static final Callers BATCHES = new Callers(8, 8, CALL_JOB_COUNT, 0);
  private static final Callers FUTURES = new Callers(8, 8, 1, 128);
  private static final String IN_BATCHES = "8 producers and 8 consumers, calls of 100 jobs";

  private static final int[] WAITING = {1_000, 10_000, 100_000, 1_000_000, 10_000_000, 30_000_000};
  private static final int[] QUEUES = {1, 10, 100, 1_000, 10_000, 100_000, 1_000_000};
  private static final int[] MANY = {10, 100, 1_000, 10_000, 100_000, 1_000_000};
  private static final int[] PAYLOADS = {
    16, 64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20
  };
  private static final int[] CALLERS = {1, 2, 4, 8, 16, 32, 64, 128, 256};
  private static final int[] ROWS = {1_000, 10_000, 100_000, 1_000_000, 10_000_000};
  private static final int[] THREADS = {64, 1_000, 10_000};

  private final Setting setting;

  /**
   * The options that all curves have in common.
   *
   * @param store the kind of store
   * @param durability the durability that calls wait for
   * @param timing the length of each point
   * @param folder the folder for files
   */
  public record Setting(
      String store, Durability durability, LoadOptions.Timing timing, Path folder) {}

  private Curves(Setting setting) {
    this.setting = setting;
  }

  /** Returns all curves, in the order in which they are measured. */
  public static List<Curve> all(Setting setting) {
    Curves curves = new Curves(setting);
    return List.of(
        curves.waiting(),
        curves.queues(),
        curves.tenants(),
        curves.payload(),
        curves.callers(),
        curves.keys(),
        curves.rows(),
        curves.children(),
        curves.threads("virtual", ThreadKind.VIRTUAL),
        curves.threads("platform", ThreadKind.PLATFORM));
  }

  private Curve waiting() {
    return stored(
        "waiting",
        "Jobs that wait in front",
        "waiting jobs",
        steps(WAITING, count -> options(Workload.BACKLOG, BATCHES, count, Queues.SINGLE)));
  }

  private Curve queues() {
    return stored(
        "queues",
        "Queues, the load on one, a job in each other",
        "queues",
        steps(QUEUES, count -> options(Workload.CYCLE, BATCHES, 0, new Queues(count, LoadOn.ONE))));
  }

  private Curve tenants() {
    return new Curve(
        "tenants",
        "tenants",
        "Tenants, the load on all, claimed across them",
        "tenants",
        "8 producers and 8 consumers, 128 futures in flight each",
        Unit.COUNT,
        true,
        steps(
            MANY, count -> options(Workload.CYCLE, FUTURES, 0, new Queues(count, LoadOn.TENANTS))));
  }

  private Curve payload() {
    return new Curve(
        "payload",
        "payload",
        "Payload",
        "bytes of a payload",
        "8 producers and 8 consumers, calls of at most 100 jobs and 1 MiB",
        Unit.BYTES,
        false,
        steps(PAYLOADS, this::ofPayload));
  }

  private LoadOptions ofPayload(int payloadBytes) {
    int jobCount = Math.max(1, Math.min(CALL_JOB_COUNT, CALL_BYTES / payloadBytes));
    return options(payloadBytes, Workload.CYCLE, new Callers(8, 8, jobCount, 0), 0, Queues.SINGLE);
  }

  private Curve callers() {
    return new Curve(
        "callers",
        "callers",
        "Callers that block",
        "producers, and as many consumers",
        "calls of one job",
        Unit.COUNT,
        false,
        steps(CALLERS, this::blocking));
  }

  private Curve keys() {
    return new Curve(
        "keys",
        "keys",
        "Concurrency keys, one job of each at a time",
        "keys",
        IN_BATCHES,
        Unit.COUNT,
        false,
        steps(MANY, count -> options(Workload.KEYED, BATCHES, 0, Queues.withKeys(count))));
  }

  private Curve rows() {
    return stored(
        "rows",
        "Rows of users' tables",
        "rows",
        steps(ROWS, count -> options(Workload.TABLES, BATCHES, count, Queues.SINGLE)));
  }

  private Curve children() {
    return stored(
        "children",
        "Children of the batch that all jobs are in",
        "children that stay",
        steps(MANY, count -> options(Workload.ONE_BATCH, BATCHES, count, Queues.SINGLE)));
  }

  private Curve threads(String name, ThreadKind kind) {
    return new Curve(
        name,
        "threads",
        "Callers that block, on virtual and on platform threads",
        "producers, and as many consumers",
        "calls of one job",
        Unit.COUNT,
        false,
        steps(THREADS, count -> blocking(count, kind)));
  }

  private LoadOptions blocking(int count) {
    return blocking(count, ThreadKind.PLATFORM);
  }

  private LoadOptions blocking(int count, ThreadKind kind) {
    return options(Workload.CYCLE, new Callers(count, count, 1, 0).on(kind), 0, Queues.SINGLE);
  }

  private static Curve stored(String name, String subject, String axis, List<Step> steps) {
    return new Curve(name, name, subject, axis, IN_BATCHES, Unit.COUNT, true, steps);
  }

  private static List<Step> steps(int[] amounts, IntFunction<LoadOptions> options) {
    return IntStream.of(amounts)
        .mapToObj(amount -> new Step(amount, options.apply(amount)))
        .toList();
  }

  private LoadOptions options(Workload workload, Callers callers, int backlog, Queues queues) {
    return options(PAYLOAD_BYTES, workload, callers, backlog, queues);
  }

  private LoadOptions options(
      int payloadBytes, Workload workload, Callers callers, int backlog, Queues queues) {
    return new LoadOptions(
        workload,
        setting.store(),
        setting.durability(),
        callers,
        payloadBytes,
        backlog,
        queues,
        setting.timing(),
        setting.folder());
  }
}
