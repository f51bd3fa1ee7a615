package io.millrace.outbox.jdbc;

import io.millrace.MillraceException;
import io.millrace.api.EngineClosedException;
import io.millrace.outbox.jdbc.RelayFigures.State;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running relay: a thread that enqueues the rows of an outbox as jobs, and deletes them. It ends
 * when it is closed, or when its engine is. Any thread may use it.
 *
 * <p>What keeps it from its work, such as a database that is away, is logged and told by {@link
 * #figures}. It tries again after 100 ms, then twice as long each time, at most 10 s.
 */
public final class OutboxRelay implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(OutboxRelay.class);
  private static final long BACKOFF_LEAST_MS = 100;
  private static final long BACKOFF_MOST_MS = 10_000;
  private static final long CLOSE_MS = 10_000;

  private final String name;
  private final RelayRound round;
  private final RelayTally tally;
  private final long pollMs;
  private final Semaphore hints = new Semaphore(0);
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;
  private long backoffMs = BACKOFF_LEAST_MS;

  OutboxRelay(String name, RelayRound.Parts parts, RelayOptions options) {
    this.name = name;
    tally = parts.tally();
    pollMs = options.pollEvery().toMillis();
    round = new RelayRound(parts, options, this::isClosing);
    thread = new Thread(this::work, "millrace-outbox-" + name);
    thread.setDaemon(true);
  }

  OutboxRelay start() {
    thread.start();
    return this;
  }

  /**
   * Lets the relay look at the table at once, in place of at the end of its pause. Called after the
   * commit of a transaction that wrote a row, it makes the job come within milliseconds. It is a
   * hint: nothing is lost without it. Returns at once; has no effect while the relay waits because
   * it could not do its work, or after it was closed.
   */
  public void relayNow() {
    if (hints.availablePermits() == 0) {
      hints.release();
    }
  }

  /** Returns the figures of the relay, as of now. */
  public RelayFigures figures() {
    return tally.figures();
  }

  /**
   * Stops the relay. When this returns it enqueues nothing any more, and rows that it has not
   * enqueued are left to the next relay. Waits for what is under way, but at most 10 s for a
   * database that does not answer; if the thread is interrupted, no longer.
   */
  @Override
  public void close() {
    closing.countDown();
    relayNow();
    try {
      thread.join(CLOSE_MS);
      if (thread.isAlive()) {
        LOG.warn("outbox still waits for its database after its close: outbox=\"{}\"", name);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isClosing() {
    return closing.getCount() == 0;
  }

  private void work() {
    try {
      while (!isClosing() && step()) {}
    } catch (InterruptedException e) {
      LOG.warn("outbox is not relayed any more, its thread was interrupted: outbox={}", name, e);
    } finally {
      tally.closed();
    }
  }

  /** Looks at the table once and waits as is fit. Returns whether to go on. */
  private boolean step() throws InterruptedException {
    try {
      boolean hasMore = round.run();
      tally.succeeded();
      backoffMs = BACKOFF_LEAST_MS;
      if (!hasMore && hints.tryAcquire(pollMs, TimeUnit.MILLISECONDS)) {
        hints.drainPermits();
      }
      return true;
    } catch (EngineClosedException e) {
      return false;
    } catch (SQLException e) {
      return retryLater(State.DATABASE_FAILS, e);
    } catch (Ownership.ForeignOutboxException e) {
      return retryLater(State.NOT_OWNER, e);
    } catch (MillraceException e) {
      return retryLater(State.ENGINE_REFUSES, e);
    } catch (RuntimeException | OutOfMemoryError e) { // drivers and pools have such as well
      return retryLater(State.DATABASE_FAILS, e);
    }
  }

  private boolean retryLater(State state, Throwable why) throws InterruptedException {
    tally.failed(state, why);
    boolean isToClose = closing.await(backoffMs, TimeUnit.MILLISECONDS);
    backoffMs = Math.min(BACKOFF_MOST_MS, 2 * backoffMs);
    return !isToClose;
  }
}
