package io.millrace.model.crash;

import io.millrace.api.EngineClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The machine's clock with days that pass when they are told to: a file has a byte for each, so
 * that they are not taken back when the process dies. Any thread.
 */
final class LeapingClock implements EngineClock {

  /** So soon is a leap seen by a thread that sleeps. */
  private static final long PARK_NS_MAX = 1_000_000;

  private final FileChannel file;
  private final long daysBefore;
  private volatile long days;

  LeapingClock(Path path) throws IOException {
    file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    daysBefore = file.size();
    days = daysBefore;
  }

  /** A day passes. */
  synchronized void leap() {
    try {
      file.write(ByteBuffer.allocate(1));
      days++;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How many days have passed in this process. */
  long leapCount() {
    return days - daysBefore;
  }

  @Override
  public long epochMs() {
    return System.currentTimeMillis() + TimeUnit.DAYS.toMillis(days);
  }

  @Override
  public long monotonicNs() {
    return System.nanoTime() + TimeUnit.DAYS.toNanos(days);
  }

  @Override
  public void parkNs(long durationNs) {
    LockSupport.parkNanos(this, Math.min(durationNs, PARK_NS_MAX));
  }
}
