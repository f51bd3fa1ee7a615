package io.millrace.spi.testkit.fault;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreException;
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
 * The victim: a process that writes {@link History} and says after each step how far it is durable.
 *
 * <p>Arguments: scheme, store folder, file to say it to. Commands on standard input: {@code write
 * COUNT SEED} writes that many batches, syncing now and then, and then answers {@code idle} on
 * standard output; the end of input kills the process without closing the store. A failure is
 * answered with {@code failed}, its exception, and what the next write throws.
 */
public final class WriterProcess {

  private static final int SYNC_ODDS = 4;

  private WriterProcess() {}

  public static void main(String[] args) throws IOException {
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    OrderedStore store = StoreProcess.factory(args[0]).open(StoreOptions.of(Path.of(args[1])));
    try (OutputStream acknowledged = new FileOutputStream(args[2])) {
      acknowledge(acknowledged, store);
      for (String line = commands.readLine(); line != null; line = commands.readLine()) {
        String[] words = line.split(" ");
        System.out.println(
            write(store, Integer.parseInt(words[1]), Long.parseLong(words[2]), acknowledged));
      }
    }
    Runtime.getRuntime().halt(0);
  }

  private static String write(OrderedStore store, int count, long seed, OutputStream acknowledged)
      throws IOException {
    Random random = new Random(seed);
    try {
      for (int i = 0; i < count; i++) {
        store.write(History.batch(store.lastCommit() + 1));
        acknowledge(acknowledged, store);
        if (random.nextInt(SYNC_ODDS) == 0) {
          store.sync();
          acknowledge(acknowledged, store);
        }
      }
      return "idle";
    } catch (StoreException e) {
      return "failed " + e.getClass().getSimpleName() + " then " + nextFailure(store);
    }
  }

  private static String nextFailure(OrderedStore store) {
    try {
      store.write(History.batch(store.lastCommit() + 1));
      return "nothing";
    } catch (StoreException e) {
      return e.getClass().getSimpleName();
    }
  }

  private static void acknowledge(OutputStream acknowledged, OrderedStore store)
      throws IOException {
    acknowledged.write(("synced " + store.syncedCommit() + "\n").getBytes(StandardCharsets.UTF_8));
  }
}
