package io.millrace.console;

import com.sun.net.httpserver.HttpServer;
import io.millrace.api.JobQueues;
import io.millrace.console.access.Guard;
import io.millrace.console.live.History;
import io.millrace.console.source.LocalChanges;
import io.millrace.console.source.LocalSource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A console whose last hour goes by at the pace of its engine's clock, so that a picture of it need
 * not wait for an hour.
 */
public final class PicturedConsole implements AutoCloseable {

  /** The time that another listener may be behind. */
  private static final Duration MOMENT = Duration.ofMillis(1);

  private static final String TOKEN = "operate-0123456789";

  private final History history;
  private final AtomicLong endsSeen = new AtomicLong();
  private final ServedConsole console;

  /**
   * Starts the console.
   *
   * @param engine an engine of tests, with a clock of its own
   */
  public PicturedConsole(JobQueues engine) throws IOException {
    LocalSource source =
        new LocalSource(
            engine,
            Optional.empty(),
            Optional.of(new LocalChanges(engine, Optional.empty(), List.of())),
            List.of());
    history = History.byHand(source, engine, engine::now);
    // After that of the history, so that it is told later.
    engine.listen(event -> event.ran().ifPresent(time -> endsSeen.incrementAndGet()));
    App app =
        new App(
            new App.Setup("Orders", TOKEN, false, Optional.empty(), entry -> {}),
            source,
            new Guard(
                new Guard.Tokens(TOKEN, Optional.empty()),
                Optional.empty(),
                Set.of(),
                System::nanoTime),
            history);
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    console = new ServedConsole(server, "/", app, new Patience(Patience.LENGTH));
  }

  public Console console() {
    return console;
  }

  /**
   * Adds a point to the last hour.
   *
   * @param ends how many attempts have ended until now: listeners are told of that later
   */
  public void sample(long ends) {
    while (endsSeen.get() < ends) {
      Thread.onSpinWait(); // the test's time limit ends it
    }
    LockSupport.parkNanos(MOMENT.toNanos());
    history.sample();
  }

  @Override
  public void close() {
    console.close();
  }
}
