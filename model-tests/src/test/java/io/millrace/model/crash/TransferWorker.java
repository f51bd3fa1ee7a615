package io.millrace.model.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.JobId;
import io.millrace.engine.JobEngine;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;

/**
 * A process that makes and applies transfers until it is killed. It says {@code working} when some
 * are applied, and writes each that it was told is applied into a file.
 */
final class TransferWorker {

  private static final int WORKER_COUNT = 4;

  private TransferWorker() {}

  /** Arguments: store's location, file of what is applied, seed, how many it applies at least. */
  public static void main(String[] args) throws Exception {
    Random random = new Random(Long.parseLong(args[2]));
    CountDownLatch least = new CountDownLatch(Integer.parseInt(args[3]));
    FileChannel told =
        FileChannel.open(Path.of(args[1]), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    Transfers transfers = new Transfers(JobEngine.open(args[0]));
    start(random.nextLong(), worker -> transfers.issue(worker));
    for (int i = 0; i < WORKER_COUNT; i++) {
      String name = "worker " + i;
      start(
          random.nextLong(),
          worker -> {
            Optional<JobId> applied = transfers.applyNext(name);
            applied.ifPresent(id -> write(told, id + "\n"));
            applied.ifPresent(id -> least.countDown());
          });
    }
    least.await();
    System.out.println("working");
    // Until it is killed.
    System.in.transferTo(OutputStream.nullOutputStream());
    Runtime.getRuntime().halt(0);
  }

  private interface Step {
    void take(Random random);
  }

  private static void start(long seed, Step step) {
    Random random = new Random(seed);
    Thread thread =
        new Thread(
            () -> {
              try {
                while (true) {
                  step.take(random);
                }
              } catch (RuntimeException | Error e) {
                e.printStackTrace();
                // Whoever waits for an answer learns that there will be none.
                Runtime.getRuntime().halt(1);
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  /** In one call, so that lines are whole. */
  private static void write(FileChannel told, String line) {
    try {
      told.write(ByteBuffer.wrap(line.getBytes(UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
