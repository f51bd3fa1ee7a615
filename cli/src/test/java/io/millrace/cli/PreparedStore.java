package io.millrace.cli;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import io.millrace.api.Table;
import io.millrace.engine.JobEngine;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.QueueKeys;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/**
 * A store with something of everything.
 *
 * @param folder where it is
 * @param ready a job in queue {@code mail}, with a header and a text
 * @param delayed a job in queue {@code mail} of tenant {@code acme}, with bytes
 * @param dead a job in queue {@code mail} that failed for good
 * @param deadToo a job in queue {@code odd\n} that failed for good
 */
record PreparedStore(Path folder, JobId ready, JobId delayed, JobId dead, JobId deadToo) {

  static final String ODD_QUEUE = "odd\n\u001b[31m";

  static PreparedStore in(Path folder) {
    return in("lmdb", folder);
  }

  static PreparedStore in(String scheme, Path folder) {
    try (JobEngine engine = JobEngine.open(scheme + ":" + folder)) {
      JobQueue mail = engine.queue("mail");
      JobQueue odd = engine.queue(ODD_QUEUE);
      JobId dead = enqueue(mail, "first");
      fail(mail, "mailbox is full\u0007");
      JobId deadToo = enqueue(odd, "second");
      fail(odd, "no route");
      complete(mail);
      JobId ready =
          mail.enqueue(
                  "grüße\n".getBytes(StandardCharsets.UTF_8),
                  EnqueueOptions.DEFAULT.priority(7).headers(Map.of("to", "a\tb")))
              .jobId();
      JobId delayed =
          engine
              .queue("mail", "acme")
              .enqueue(
                  new byte[] {(byte) 0xff, 0},
                  EnqueueOptions.DEFAULT.delay(Duration.ofDays(30)).maxAttempts(5))
              .jobId();
      return new PreparedStore(folder, ready, delayed, dead, deadToo);
    }
  }

  String path() {
    return folder.toString();
  }

  /** Adds a queue with a job. */
  void addQueue(String name) {
    try (JobEngine engine = JobEngine.open("lmdb:" + folder)) {
      enqueue(engine.queue(name), "first");
    }
  }

  /** Adds a job to queue {@code mail} that kept a state, a text, and then failed for good. */
  JobId addDeadWithState(String state) {
    try (JobEngine engine = JobEngine.open("lmdb:" + folder)) {
      JobQueue mail = engine.queue("mail");
      JobId id = mail.enqueue(new byte[1], options -> options.priority(127)).jobId();
      Lease lease = mail.claim("w1", Duration.ofSeconds(30)).orElseThrow();
      lease.checkpoint(state.getBytes(StandardCharsets.UTF_8)).orThrow();
      lease.fail("stopped half way", FailOptions.PERMANENT).orThrow();
      return id;
    }
  }

  /** Adds a job to queue {@code orders} that waits for the signal. */
  JobId addWaiting(String signal) {
    try (JobEngine engine = JobEngine.open("lmdb:" + folder)) {
      JobQueue orders = engine.queue("orders");
      JobId id = enqueue(orders, "order");
      orders.claim("w1", Duration.ofSeconds(30)).orElseThrow().waitFor(signal).orThrow();
      return id;
    }
  }

  /** Adds a table {@code stock} of two rows, and one {@code odd\n} that has none. */
  void addTables() {
    try (JobEngine engine = JobEngine.open("lmdb:" + folder)) {
      Table<String, byte[]> stock = engine.table("stock", Codec.TEXT, Codec.BYTES);
      stock.put("tea/black", "twelve".getBytes(StandardCharsets.UTF_8));
      stock.put("coffee", new byte[] {(byte) 0xff, 0});
      Table<Long, Long> odd = engine.table("odd\n", Codec.LONG, Codec.LONG);
      odd.put(1L, 1L);
      odd.delete(1L);
    }
  }

  /** Writes over the row of a queue. */
  void damageQueue(String name) {
    damage(QueueKeys.key(QueueName.of(name)));
  }

  /** Writes over the counts of the queue of a job. */
  void damageCounts(JobId job) {
    damage(CounterKeys.key(JobAddress.of(job).orElseThrow().queue()));
  }

  private void damage(byte[] key) {
    StoreFactory lmdb =
        ServiceLoader.load(StoreFactory.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(factory -> factory.scheme().equals("lmdb"))
            .findFirst()
            .orElseThrow();
    try (OrderedStore store = lmdb.open(StoreOptions.of(folder))) {
      WriteBatch batch = new WriteBatch(store.lastCommit() + 1);
      batch.put(key, new byte[] {1, 2, 3});
      store.write(batch);
      store.sync();
    }
  }

  /** Runs a command, of one word or two, on the store. */
  static CommandRun run(String command, PreparedStore store, String... options) {
    List<String> args = new ArrayList<>(List.of(command.split(" ")));
    args.add(store.path());
    args.addAll(List.of(options));
    return CommandRun.of(args.toArray(String[]::new));
  }

  private static JobId enqueue(JobQueue queue, String payload) {
    return queue.enqueue(payload.getBytes(StandardCharsets.UTF_8)).jobId();
  }

  private static void fail(JobQueue queue, String error) {
    for (Lease lease : queue.claim(ClaimOptions.by("w1"))) {
      lease.fail(error, FailOptions.PERMANENT);
    }
  }

  private static void complete(JobQueue queue) {
    enqueue(queue, "done soon");
    queue.claim(ClaimOptions.by("w1")).forEach(Lease::complete);
  }
}
