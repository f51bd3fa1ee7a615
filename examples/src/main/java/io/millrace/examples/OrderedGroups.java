package io.millrace.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.JobQueues;
import io.millrace.api.Lease;
import java.util.List;
import java.util.function.Consumer;

/** Jobs that must not run together, or must run one after the other: concurrency keys. */
final class OrderedGroups implements Example {

  @Override
  public void run(JobQueues engine, Consumer<String> log) {
    // region keys
    JobQueue accounts = engine.queue("accounts"); // perKey is 1 unless something else is said
    accounts.enqueue("ada: open".getBytes(UTF_8), EnqueueOptions.DEFAULT.concurrencyKey("ada"));
    accounts.enqueue("ada: pay in".getBytes(UTF_8), EnqueueOptions.DEFAULT.concurrencyKey("ada"));
    accounts.enqueue("bob: open".getBytes(UTF_8), EnqueueOptions.DEFAULT.concurrencyKey("bob"));

    List<Lease> first = accounts.claim(ClaimOptions.by("worker-1").max(10));
    first.forEach(lease -> log.accept(text(lease))); // ada: open, bob: open
    first.forEach(lease -> lease.complete().orThrow());
    accounts.claim(ClaimOptions.by("worker-1")).forEach(next -> log.accept(text(next))); // pay in
    // endregion
    ofTheEngine(engine, log);
  }

  private static void ofTheEngine(JobQueues engine, Consumer<String> log) {
    // region engineKeys
    EnqueueOptions twoCalls = EnqueueOptions.DEFAULT.engineConcurrencyKey("api.example.org", 2);
    engine.queue("invoices").enqueue("invoice 1".getBytes(UTF_8), twoCalls);
    engine.queue("invoices").enqueue("invoice 2".getBytes(UTF_8), twoCalls);
    engine.queue("reports").enqueue("report 1".getBytes(UTF_8), twoCalls);

    ClaimOptions all = ClaimOptions.by("worker-1").max(10);
    List<Lease> calls = engine.queue("invoices").claim(all); // invoice 1, invoice 2
    calls.forEach(lease -> log.accept(text(lease)));
    log.accept(engine.queue("reports").claim(all).size() + " reports"); // 0: it waits for a slot
    calls.get(0).complete().orThrow(); // and is handed one with this commit
    engine.queue("reports").claim(all).forEach(lease -> log.accept(text(lease))); // report 1
    // endregion
  }

  private static String text(Lease lease) {
    return new String(lease.payload(), UTF_8);
  }
}
