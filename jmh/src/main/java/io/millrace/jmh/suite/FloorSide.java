package io.millrace.jmh.suite;

import io.millrace.jmh.load.PlainLog;
import io.millrace.jmh.suite.SideState.Operation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;

/** A plain append-only log, by blocking calls. */
final class FloorSide implements Side {

  private final SideState load;
  private final Path path;
  private final Operation operation;
  private final List<byte[]> payloads;
  private PlainLog log;

  FloorSide(SideState load) {
    this.load = load;
    path = load.path("plain.log");
    operation = load.operation();
    payloads = Collections.nCopies(load.batch, load.payload);
    log = open();
  }

  private PlainLog open() {
    return new PlainLog(path, PlainLog.Place.AT_THE_END, load.durability, load.payloadBytes);
  }

  @Override
  public Object operate() {
    log.enqueue(payloads);
    if (operation == Operation.CYCLE) {
      log.claim(payloads.size()).complete(number -> {});
    }
    return payloads;
  }

  @Override
  public void empty() {
    log.close();
    try {
      Files.delete(path);
    } catch (IOException e) {
      throw new UncheckedIOException("plain log cannot be removed: path=" + path, e);
    }
    log = open();
  }

  @Override
  public void close() {
    log.close();
  }
}
