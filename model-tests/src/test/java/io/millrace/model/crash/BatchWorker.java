package io.millrace.model.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Durability;
import io.millrace.api.EngineOptions;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.engine.JobEngine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * A process in which batches are begun, worked on and looked after, until it is killed. It is told
 * what to do by one line, says {@code working} when some jobs have been worked on, and writes the
 * names of the batches that have begun into a file.
 */
final class BatchWorker {

  private static final int WORKER_COUNT = 3;
  private static final int READY_COUNT_MAX = 60;
  private static final long PAUSE_NS = 1_000_000;

  private BatchWorker() {}

  /**
   * What it is told.
   *
   * @param told the file for names of batches
   * @param life its name, unlike any before on this store
   * @param least how often jobs are worked on when it says so
   */
  record Task(
      String location, Durability durability, Path told, String life, long seed, int least) {

    static Task parse(String line) {
      String[] words = line.split(" ");
      return new Task(
          words[0],
          Durability.valueOf(words[1]),
          Path.of(words[2]),
          words[3],
          Long.parseLong(words[4]),
          Integer.parseInt(words[5]));
    }

    String text() {
      return location + " " + durability + " " + told + " " + life + " " + seed + " " + least;
    }
  }

  /** Without arguments. */
  public static void main(String[] args) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    Task task = Task.parse(in.readLine());
    Random random = new Random(task.seed());
    CountDownLatch least = new CountDownLatch(task.least());
    FileChannel told =
        FileChannel.open(task.told(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    EngineOptions options = EngineOptions.DEFAULT.durability(task.durability());
    BatchLife life = new BatchLife(JobEngine.open(task.location(), options));
    EndlessStep.start(random.nextLong(), beginner(life, task.life(), told));
    for (int i = 0; i < WORKER_COUNT; i++) {
      EndlessStep.start(
          random.nextLong(),
          own -> {
            if (life.work(own)) {
              least.countDown();
            } else {
              pause();
            }
          });
    }
    EndlessStep.start(
        random.nextLong(),
        own -> {
          if (!life.followers().goOn()) {
            pause();
          }
        });
    EndlessStep.start(
        random.nextLong(),
        own -> {
          life.tend(own);
          pause();
        });
    least.await();
    System.out.println("working");
    System.in.transferTo(OutputStream.nullOutputStream());
    Runtime.getRuntime().halt(0);
  }

  private static EndlessStep beginner(BatchLife life, String name, FileChannel told) {
    int[] count = new int[1];
    return own -> {
      if (isBusy(life.engine())) {
        pause();
      } else {
        life.begin(name + "." + count[0]++, begun -> write(told, begun + "\n"));
      }
    };
  }

  private static boolean isBusy(JobEngine engine) {
    long ready = 0;
    for (QueueName queue : BatchPlan.PARTS) {
      ready += engine.stats(queue).map(stats -> stats.count(JobState.READY)).orElse(0L);
    }
    return ready > READY_COUNT_MAX;
  }

  private static void pause() {
    LockSupport.parkNanos(PAUSE_NS);
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
