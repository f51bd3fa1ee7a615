package io.millrace.jmh;

import io.millrace.api.Durability;
import io.millrace.jmh.load.LoadOptions;
import io.millrace.jmh.load.LoadOptions.Callers;
import io.millrace.jmh.load.LoadOptions.LoadOn;
import io.millrace.jmh.load.LoadOptions.Queues;
import io.millrace.jmh.load.Workload;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The loads whose figures docs/benchmarks.md gives. */
final class TableRows {

  static final int PAYLOAD_BYTES = 256;

  private static final int ROUND_COUNT = 5;
  private static final int SMALL_BACKLOG = 1_000;
  private static final int MANY_QUEUES = 100_000;

  private final List<Row> rows = new ArrayList<>();
  private final String store;
  private final Durability durability;
  private final LoadOptions.Timing timing;
  private final Path folder;

  /**
   * One line of the table.
   *
   * @param name what {@code --rows} matches
   * @param options what is run
   */
  record Row(String name, LoadOptions options) {}

  TableRows(String store, Durability durability, Duration length, int backlog, Path folder) {
    this.store = store;
    this.durability = durability;
    this.timing = new LoadOptions.Timing(length, ROUND_COUNT, 0);
    this.folder = folder;
    for (int producers : new int[] {1, 8, 64}) {
      add("enqueue " + producers, Workload.ENQUEUE, new Callers(producers, 1, 1, 0), 0);
    }
    add("cycle 8+8", Workload.CYCLE, new Callers(8, 8, 1, 0), 0);
    add("cycle 64+64", Workload.CYCLE, new Callers(64, 64, 1, 0), 0);
    add("cycle futures 8+8x128", Workload.CYCLE, new Callers(8, 8, 1, 128), 0);
    add("cycle batches of 100", Workload.CYCLE, new Callers(8, 8, 100, 0), 0);
    add("claim, 10^3 waiting", Workload.BACKLOG, new Callers(1, 1, 1, 0), SMALL_BACKLOG);
    add("claim, many waiting", Workload.BACKLOG, new Callers(1, 1, 1, 0), backlog);
    add("batches, 10^3 waiting", Workload.BACKLOG, new Callers(8, 8, 100, 0), SMALL_BACKLOG);
    add("batches, many waiting", Workload.BACKLOG, new Callers(8, 8, 100, 0), backlog);
    add("batches, many delayed", Workload.DELAYED, new Callers(8, 8, 100, 0), backlog);
    int queueCount = Math.min(backlog, MANY_QUEUES);
    add("batches, many queues", new Callers(8, 8, 100, 0), new Queues(queueCount, LoadOn.ONE));
    add("futures, one queue", new Callers(8, 8, 1, 128), Queues.SINGLE);
    add("futures, spread", new Callers(8, 8, 1, 128), new Queues(queueCount, LoadOn.ALL));
  }

  List<Row> loads() {
    return rows;
  }

  private void add(String name, Workload workload, Callers callers, int backlog) {
    rows.add(
        new Row(
            name,
            new LoadOptions(
                workload,
                store,
                durability,
                callers,
                PAYLOAD_BYTES,
                backlog,
                Queues.SINGLE,
                timing,
                folder)));
  }

  private void add(String name, Callers callers, Queues queues) {
    rows.add(
        new Row(
            name,
            new LoadOptions(
                Workload.CYCLE,
                store,
                durability,
                callers,
                PAYLOAD_BYTES,
                0,
                queues,
                timing,
                folder)));
  }
}
