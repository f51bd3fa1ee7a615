package io.millrace.spi.testkit.fault;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.StoreProcess;
import java.io.BufferedReader;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;

/**
 * The victim: a process that writes {@link History}, or batches of another shape, and says after
 * each step how far it is durable.
 *
 * <p>Arguments: scheme, store folder, file to say it to. Commands on standard input, each answered
 * with {@code idle} on standard output: {@code write COUNT SEED} writes that many batches, syncing
 * after one in four, or one in as many as a third number says; {@code shape SEED} sets what batches
 * are like from the first on; {@code reopen} closes the store and opens it again. The end of input
 * kills the process without closing the store. A failure is answered with {@code failed}, its
 * exception, and what the next write throws.
 */
public final class WriterProcess {

  private static final int SYNC_ODDS = 4;

  private final StoreFactory factory;
  private final StoreOptions options;
  private final OutputStream acknowledged;
  private OrderedStore store;
  private HistoryShape shape = HistoryShape.PLAIN;

  private WriterProcess(StoreFactory factory, StoreOptions options, OutputStream acknowledged) {
    this.factory = factory;
    this.options = options;
    this.acknowledged = acknowledged;
    this.store = factory.open(options);
  }

  public static void main(String[] args) throws IOException {
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (OutputStream acknowledged = new FileOutputStream(args[2])) {
      WriterProcess writer =
          new WriterProcess(
              StoreProcess.factory(args[0]), StoreOptions.of(Path.of(args[1])), acknowledged);
      writer.acknowledge();
      for (String line = commands.readLine(); line != null; line = commands.readLine()) {
        System.out.println(writer.obey(line.split(" ")));
      }
    }
    Runtime.getRuntime().halt(0);
  }

  private String obey(String[] words) throws IOException {
    switch (words[0]) {
      case "shape" -> shape = HistoryShape.of(Long.parseLong(words[1]));
      case "reopen" -> {
        store.close();
        store = factory.open(options);
        acknowledge();
      }
      case "write" -> {
        int syncOdds = words.length > 3 ? Integer.parseInt(words[3]) : SYNC_ODDS;
        return write(Integer.parseInt(words[1]), new Random(Long.parseLong(words[2])), syncOdds);
      }
      default -> throw new IllegalArgumentException("no such command: " + words[0]);
    }
    return "idle";
  }

  private String write(int count, Random random, int syncOdds) throws IOException {
    try {
      for (int i = 0; i < count; i++) {
        store.write(shape.batch(store.lastCommit() + 1));
        acknowledge();
        if (random.nextInt(syncOdds) == 0) {
          store.sync();
          acknowledge();
        }
      }
      return "idle";
    } catch (StoreException e) {
      return "failed " + e.getClass().getSimpleName() + " then " + nextFailure();
    }
  }

  private String nextFailure() {
    try {
      store.write(shape.batch(store.lastCommit() + 1));
      return "nothing";
    } catch (StoreException e) {
      return e.getClass().getSimpleName();
    }
  }

  private void acknowledge() throws IOException {
    acknowledged.write(("synced " + store.syncedCommit() + "\n").getBytes(StandardCharsets.UTF_8));
  }
}
