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
 * A process that makes and applies transfers, and links of chains, until it is killed. It says
 * {@code working} when some transfers are applied, and writes what it was told is done into files.
 */
final class TransferWorker {

  /** Files of what is done. */
  static final String TRANSFERS = "transfers";

  static final String LINKS = "links";

  private static final int WORKER_COUNT = 4;
  private static final int LINKER_COUNT = 2;

  private TransferWorker() {}

  /** Arguments: store's location, folder for the files, seed, how many it applies at least. */
  public static void main(String[] args) throws Exception {
    Random random = new Random(Long.parseLong(args[2]));
    CountDownLatch least = new CountDownLatch(Integer.parseInt(args[3]));
    FileChannel told = open(args[1], TRANSFERS);
    FileChannel toldLinks = open(args[1], LINKS);
    JobEngine engine = JobEngine.open(args[0]);
    Transfers transfers = new Transfers(engine);
    Chains chains = new Chains(engine);
    EndlessStep.start(random.nextLong(), worker -> transfers.issue(worker));
    for (int i = 0; i < WORKER_COUNT; i++) {
      String name = "worker " + i;
      EndlessStep.start(
          random.nextLong(),
          worker -> {
            Optional<JobId> applied = transfers.applyNext(name);
            applied.ifPresent(id -> write(told, id + "\n"));
            applied.ifPresent(id -> least.countDown());
          });
    }
    for (int i = 0; i < LINKER_COUNT; i++) {
      String name = "linker " + i;
      EndlessStep.start(
          random.nextLong(),
          worker -> chains.goOnOrBegin(name).ifPresent(link -> write(toldLinks, link + "\n")));
    }
    least.await();
    System.out.println("working");
    // Until it is killed.
    System.in.transferTo(OutputStream.nullOutputStream());
    Runtime.getRuntime().halt(0);
  }

  private static FileChannel open(String folder, String file) throws IOException {
    return FileChannel.open(
        Path.of(folder, file), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
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
