package io.millrace.jmh;

import io.millrace.api.Durability;
import io.millrace.jmh.load.LoadOptions;
import io.millrace.jmh.load.LoadOptions.Callers;
import io.millrace.jmh.load.LoadOptions.LoadOn;
import io.millrace.jmh.load.LoadOptions.Queues;
import io.millrace.jmh.load.VirtualThreads;
import io.millrace.jmh.load.Workload;
import io.millrace.options.Checks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The loads whose figures docs/benchmarks.md gives. */
final class TableRows {

  static final int PAYLOAD_BYTES = 256;

  static final int ROUND_COUNT = 5;
  private static final int SMALL_BACKLOG = 1_000;
  private static final int MANY_QUEUES = 100_000;
  private static final int FEW_TENANTS = 10;
  private static final long PASSED_COUNT_MAX = 1_000_000_000_000L;
  private static final Callers BATCHES = new Callers(8, 8, 100, 0);
  private static final Callers FUTURES = new Callers(8, 8, 1, 128);

  private final List<Row> rows = new ArrayList<>();
  private final List<Pair> pairs = new ArrayList<>();
  private final String store;
  private final Durability durability;
  private final LoadOptions.Timing timing;
  private final Path folder;

  /**
   * A line of the table.
   *
   * @param name the name that {@code --rows} matches
   * @param options the load that is run
   */
  record Row(String name, LoadOptions options) {}

  /**
   * A load beside the same one with little in its store, without concurrency keys, or with one
   * queue.
   *
   * @param name the name that {@code --rows} matches
   * @param burdened the load with much in its store
   * @param light the load with little
   * @param passedCount jobs that pass through the burdened engine beforehand
   */
  record Pair(String name, LoadOptions burdened, LoadOptions light, long passedCount) {}

  /**
   * The numbers that are meant by "many".
   *
   * @param waitingCount jobs that wait, or are delayed
   * @param passedCount jobs that have passed through a queue
   */
  record Many(int waitingCount, long passedCount) {

    Many {
      Checks.inRange("--backlog", waitingCount, 1, LoadOptions.BACKLOG_COUNT_MAX);
      Checks.inRange("--passed", passedCount, 0, PASSED_COUNT_MAX);
    }
  }

  TableRows(String store, Durability durability, Duration length, Many many, Path folder) {
    this.store = store;
    this.durability = durability;
    this.timing = new LoadOptions.Timing(length, ROUND_COUNT, 0);
    this.folder = folder;
    for (int producers : new int[] {1, 8, 64}) {
      add("enqueue " + producers, Workload.ENQUEUE, new Callers(producers, 1, 1, 0), 0);
    }
    add("cycle 8+8", Workload.CYCLE, new Callers(8, 8, 1, 0), 0);
    add("cycle 64+64", Workload.CYCLE, new Callers(64, 64, 1, 0), 0);
    add("cycle futures 8+8x128", Workload.CYCLE, FUTURES, 0);
    add("cycle batches of 100", Workload.CYCLE, BATCHES, 0);
    add("claim, 10^3 waiting", Workload.BACKLOG, new Callers(1, 1, 1, 0), SMALL_BACKLOG);
    add("claim, many waiting", Workload.BACKLOG, new Callers(1, 1, 1, 0), many.waitingCount());
    addPairs(many.waitingCount(), many.passedCount());
  }

  private void addPairs(int backlog, long passedCount) {
    addPair("many waiting", Workload.BACKLOG, backlog);
    addPair("many delayed", Workload.DELAYED, backlog);
    LoadOptions batches = options(Workload.CYCLE, BATCHES, 0, Queues.SINGLE);
    LoadOptions futures = options(Workload.CYCLE, FUTURES, 0, Queues.SINGLE);
    int queueCount = Math.min(backlog, MANY_QUEUES);
    Queues present = new Queues(queueCount, LoadOn.ONE);
    Queues spread = new Queues(queueCount, LoadOn.ALL);
    pairs.add(new Pair("many queues", options(Workload.CYCLE, BATCHES, 0, present), batches, 0));
    pairs.add(new Pair("spread", options(Workload.CYCLE, FUTURES, 0, spread), futures, 0));
    Queues tenants = new Queues(queueCount, LoadOn.TENANTS);
    pairs.add(new Pair("tenants, many", options(Workload.CYCLE, FUTURES, 0, tenants), futures, 0));
    Queues few = new Queues(FEW_TENANTS, LoadOn.TENANTS);
    pairs.add(new Pair("tenants, few", options(Workload.CYCLE, FUTURES, 0, few), futures, 0));
    LoadOptions uniqueBatches = options(Workload.UNIQUE, BATCHES, 0, Queues.SINGLE);
    LoadOptions uniqueFutures = options(Workload.UNIQUE, FUTURES, 0, Queues.SINGLE);
    pairs.add(new Pair("unique keys, batches", uniqueBatches, batches, 0));
    pairs.add(new Pair("unique keys, futures", uniqueFutures, futures, 0));
    LoadOptions keyed = options(Workload.KEYED, BATCHES, 0, Queues.SINGLE);
    LoadOptions blocked = options(Workload.BLOCKED, BATCHES, 0, Queues.SINGLE);
    pairs.add(new Pair("keys, hardly a job waits", keyed, batches, 0));
    pairs.add(new Pair("keys, most jobs wait", blocked, batches, 0));
    LoadOptions limited = options(Workload.LIMITED, BATCHES, 0, Queues.SINGLE);
    pairs.add(new Pair("limits, all pass", limited, keyed, 0));
    LoadOptions ofEngine = options(Workload.ENGINE_KEYED, BATCHES, 0, Queues.SINGLE);
    LoadOptions blockedInEngine = options(Workload.ENGINE_BLOCKED, BATCHES, 0, Queues.SINGLE);
    pairs.add(new Pair("keys of the engine, hardly a job waits", ofEngine, batches, 0));
    pairs.add(new Pair("keys of the engine, most jobs wait", blockedInEngine, batches, 0));
    for (int most : new int[] {1, 8, 64}) {
      LoadOptions bare = options(Workload.CYCLE, new Callers(most, most, 1, 0), 0, Queues.SINGLE);
      LoadOptions worker = options(Workload.WORKER, bare.callers(), 0, Queues.SINGLE);
      pairs.add(new Pair("worker of " + most, worker, bare, 0));
    }
    if (VirtualThreads.areThere()) {
      Callers thousand = new Callers(64, 1_000, 1, 0);
      LoadOptions bare = options(Workload.CYCLE, thousand, 0, Queues.SINGLE);
      LoadOptions virtual = options(Workload.VIRTUAL, thousand, 0, Queues.SINGLE);
      pairs.add(new Pair("worker of 1,000 virtual threads", virtual, bare, 0));
    }
    addBatches(backlog);
    LoadOptions besideTables = options(Workload.TABLES, BATCHES, backlog, Queues.SINGLE);
    pairs.add(new Pair("rows in tables", besideTables, batches, 0));
    pairs.add(new Pair("passed", batches, batches, passedCount));
  }

  private void addBatches(int backlog) {
    for (int callers : new int[] {1, 8, 64}) {
      LoadOptions bare =
          options(Workload.CYCLE, new Callers(callers, callers, 1, 0), 0, Queues.SINGLE);
      LoadOptions oneBatch = options(Workload.ONE_BATCH, bare.callers(), 0, Queues.SINGLE);
      pairs.add(new Pair("batch, handlers " + callers, oneBatch, bare, 0));
    }
    addPair("batch, many children", Workload.ONE_BATCH, backlog);
    Callers tens = new Callers(8, 8, 10, 0);
    LoadOptions bare = options(Workload.CYCLE, tens, 0, Queues.SINGLE);
    LoadOptions own = options(Workload.OWN_BATCHES, tens, 0, Queues.SINGLE);
    pairs.add(new Pair("batches of ten", own, bare, 0));
  }

  private void addPair(String name, Workload workload, int backlog) {
    int little = Math.min(backlog, SMALL_BACKLOG);
    LoadOptions burdened = options(workload, BATCHES, backlog, Queues.SINGLE);
    LoadOptions light = options(workload, BATCHES, little, Queues.SINGLE);
    pairs.add(new Pair(name, burdened, light, 0));
  }

  List<Row> loads() {
    return rows;
  }

  List<Pair> pairs() {
    return pairs;
  }

  private void add(String name, Workload workload, Callers callers, int backlog) {
    rows.add(new Row(name, options(workload, callers, backlog, Queues.SINGLE)));
  }

  private LoadOptions options(Workload workload, Callers callers, int backlog, Queues queues) {
    return new LoadOptions(
        workload, store, durability, callers, PAYLOAD_BYTES, backlog, queues, timing, folder);
  }
}
