package io.millrace.model.linear;

import io.millrace.api.Durability;
import io.millrace.api.EngineOptions.ClaimsAnswer;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Records histories on one engine, each on queues of its own. */
final class Recorder implements AutoCloseable {

  private final StoreKind kind;
  private final Setup setup;
  private final EngineHarness harness;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private int historyCount;

  Recorder(StoreKind kind, Path folder, Setup setup) {
    this.kind = kind;
    this.setup = setup;
    this.harness = new EngineHarness(kind, folder, setup);
  }

  /** An engine whose claims and answers wait for this or that, by turns. */
  static Recorder open(StoreKind kind, Path folder, int turn) {
    return new Recorder(
        kind,
        folder,
        Setup.DEFAULT
            .withDurability(turn % 4 < 2 ? Durability.BUFFERED : Durability.SYNCED)
            .withClaimsAnswer(
                turn % 2 == 0 ? ClaimsAnswer.BEFORE_COMMIT : ClaimsAnswer.AFTER_COMMIT));
  }

  History record(Plan plan) throws InterruptedException {
    Session session = new Session(harness, plan, historyCount++);
    CyclicBarrier start = new CyclicBarrier(plan.threadCount());
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < plan.threadCount(); i++) {
      Caller caller = new Caller(session, i);
      running.add(
          threads.submit(
              () -> {
                start.await();
                caller.run();
                return null;
              }));
    }
    try {
      for (Future<?> thread : running) {
        thread.get();
      }
    } catch (ExecutionException e) {
      throw new AssertionError("a thread failed: " + title(plan), e.getCause());
    }
    List<Event> events = session.finish();
    session.deleteQueues();
    return new History(title(plan), events, session.initial(), reads());
  }

  private LinearCheck.Reads reads() {
    return setup.claimsAnswer() == ClaimsAnswer.BEFORE_COMMIT
        ? LinearCheck.Reads.MAY_MISS_GRANTS
        : LinearCheck.Reads.SEE_GRANTS;
  }

  private String title(Plan plan) {
    return "seed=" + plan.seed() + ", store=" + kind + ", " + setup + ", " + plan;
  }

  @Override
  public void close() {
    threads.shutdownNow();
    harness.close();
  }
}
