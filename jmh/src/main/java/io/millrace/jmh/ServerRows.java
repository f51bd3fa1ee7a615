package io.millrace.jmh;

import io.millrace.api.Durability;
import io.millrace.jmh.load.LoadOptions;
import io.millrace.jmh.load.LoadOptions.Callers;
import io.millrace.jmh.load.LoadOptions.Queues;
import io.millrace.jmh.load.Peer;
import io.millrace.jmh.load.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The loads under which servers are measured beside the engine. */
final class ServerRows {

  /** The store of the engine, in the process of its callers and behind a server. */
  static final String STORE = "lmdb";

  private final List<TableRows.Row> rows = new ArrayList<>();
  private final LoadOptions.Timing timing;
  private final int payloadBytes;
  private final Path folder;

  ServerRows(LoadOptions.Timing timing, int payloadBytes, Path folder) {
    this.timing = timing;
    this.payloadBytes = payloadBytes;
    this.folder = folder;
    for (int producers : new int[] {1, 8, 64}) {
      add("enqueue " + producers, Workload.ENQUEUE, new Callers(producers, 1, 1, 0));
    }
    add("cycle 8+8", Workload.CYCLE, new Callers(8, 8, 1, 0));
    add("cycle 64+64", Workload.CYCLE, new Callers(64, 64, 1, 0));
    add("cycle batches of 100", Workload.CYCLE, new Callers(8, 8, 100, 0));
    add("1,000 slow workers", Workload.SLOW, new Callers(8, 1_000, 100, 0));
  }

  private void add(String name, Workload workload, Callers callers) {
    LoadOptions options =
        new LoadOptions(
            workload,
            STORE,
            Durability.SYNCED,
            callers,
            payloadBytes,
            0,
            Queues.SINGLE,
            timing,
            folder);
    rows.add(new TableRows.Row(name, options));
  }

  /** Returns the engine, in the process of its callers. */
  static Peer engine() {
    return Peer.embedded(Objects.requireNonNull(Stores.all().get(STORE), STORE));
  }

  List<TableRows.Row> all() {
    return rows;
  }

  /** Tells whether a row says nothing of a server that takes one job a call. */
  static boolean isOfBatches(TableRows.Row row) {
    return row.options().workload() == Workload.CYCLE && row.options().callers().batchCount() > 1;
  }
}
