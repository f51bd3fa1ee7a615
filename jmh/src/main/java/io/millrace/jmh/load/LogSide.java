package io.millrace.jmh.load;

import java.time.Duration;

/** A plain log under load. */
final class LogSide implements AutoCloseable {

  private final LoadOptions options;
  private final PlainLog log;
  private final Side side;

  private LogSide(LoadOptions options, PlainLog log, Side side) {
    this.options = options;
    this.log = log;
    this.side = side;
  }

  /** Creates a log in a file of its own, whose callers have not begun. */
  static LogSide create(
      RunFolder folder, PlainLog.Place place, LoadOptions options, Progress progress) {
    String name =
        switch (place) {
          case AT_THE_END -> "plain log";
          case OVER_THE_OLD -> "log written over";
        };
    PlainLog log =
        new PlainLog(
            folder.path().resolve(name), place, options.durability(), options.payloadBytes());
    return new LogSide(options, log, new Side(name, options, log, progress));
  }

  /** Makes the backlog of ready jobs. */
  void fillBacklog() {
    new Backlog(options).fill(log, side.traffic());
  }

  /** Lets the callers run for {@code length}. What is too much for the next round goes. */
  Round round(Duration length, int number, Duration drainStall) {
    Round round = side.round(length, number);
    side.drainIfLong(drainStall);
    log.forget();
    return round;
  }

  @Override
  public void close() {
    log.close();
  }
}
