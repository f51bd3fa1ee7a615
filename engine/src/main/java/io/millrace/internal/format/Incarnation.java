package io.millrace.internal.format;

import java.time.Instant;

/**
 * The identity of a running process. The process id is not enough, for it may be given again.
 *
 * @param pid the process id
 * @param processStartMs the start of the process, epoch ms; 0 where the system does not tell
 */
public record Incarnation(long pid, long processStartMs) {

  public static Incarnation of(ProcessHandle process) {
    long startMs = process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    return new Incarnation(process.pid(), startMs);
  }
}
