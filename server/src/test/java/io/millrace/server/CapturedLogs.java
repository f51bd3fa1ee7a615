package io.millrace.server;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * All that Millrace's loggers say, traces as well, and what gRPC warns of; nothing of it is on the
 * console.
 */
final class CapturedLogs extends Handler {

  private final Logger logger = Logger.getLogger("io.millrace");
  private final Logger grpc = Logger.getLogger("io.grpc");
  private final Queue<String> lines = new ConcurrentLinkedQueue<>();

  CapturedLogs() {
    setLevel(Level.ALL);
    logger.setLevel(Level.ALL);
    for (Logger each : new Logger[] {logger, grpc}) {
      each.setUseParentHandlers(false);
      each.addHandler(this);
    }
  }

  @Override
  public void publish(LogRecord record) {
    StringWriter text = new StringWriter();
    text.append(record.getLevel() + " " + record.getLoggerName() + " ");
    text.append(new SimpleFormatter().formatMessage(record) + "\n");
    if (record.getThrown() != null) {
      record.getThrown().printStackTrace(new PrintWriter(text));
    }
    lines.add(text.toString());
  }

  Queue<String> lines() {
    return lines;
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    for (Logger each : new Logger[] {logger, grpc}) {
      each.removeHandler(this);
      each.setUseParentHandlers(true);
    }
    logger.setLevel(null);
  }
}
