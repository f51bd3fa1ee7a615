package io.millrace.internal.commit;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.millrace.spi.testkit.fault.Machine;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever is handed over is given once, in order, whenever the thread ends. */
@Timeout(60)
final class AnswerThreadTest {

  private final List<Object> given = Collections.synchronizedList(new ArrayList<>());

  @Test
  void execute_manyAtOnce_allAreGivenInTheOrderOfEachThread() throws Exception {
    AnswerThread answers = new AnswerThread(null);
    answers.start();
    CyclicBarrier start = new CyclicBarrier(3);
    List<Thread> senders = new ArrayList<>();
    for (int sender = 0; sender < 3; sender++) {
      int from = sender * 10_000;
      senders.add(new Thread(() -> send(answers, start, from)));
    }
    senders.forEach(Thread::start);
    for (Thread sender : senders) {
      sender.join();
    }

    answers.close();

    assertThat(given).hasSize(30_000);
    for (int sender = 0; sender < 3; sender++) {
      int of = sender;
      assertThat(given.stream().map(it -> (Integer) it).filter(it -> it / 10_000 == of))
          .isSorted()
          .doesNotHaveDuplicates();
    }
  }

  private void send(AnswerThread answers, CyclicBarrier start, int from) {
    try {
      start.await();
    } catch (Exception e) {
      throw new IllegalStateException("the test was interrupted", e);
    }
    for (int i = 0; i < 10_000; i++) {
      int number = from + i;
      answers.execute(() -> given.add(number));
    }
  }

  @Test
  void wake_nothingIsInLine_disturbsNobody() throws InterruptedException {
    AnswerThread answers = new AnswerThread(null);
    answers.start();
    CountDownLatch first = new CountDownLatch(1);
    List<Thread> thread = Collections.synchronizedList(new ArrayList<>());
    answers.execute(
        () -> {
          thread.add(Thread.currentThread());
          first.countDown();
        });
    first.await();
    long sleptBefore = sleepCount(thread.get(0));

    for (int i = 0; i < 100; i++) {
      answers.wake();
      LockSupport.parkNanos(100_000);
    }

    assertThat(sleepCount(thread.get(0))).isEqualTo(sleptBefore);
    answers.close();
  }

  /** How often the thread has gone to sleep, once it sleeps. */
  private static long sleepCount(Thread thread) {
    while (thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    return ManagementFactory.getThreadMXBean().getThreadInfo(thread.getId()).getWaitedCount();
  }

  @Test
  void close_whileOthersStillHandOver_nothingIsLeftBehind() throws InterruptedException {
    for (int round = 0; round < 200; round++) {
      given.clear();
      AnswerThread answers = new AnswerThread(null);
      answers.start();
      Thread late =
          new Thread(
              () -> {
                for (int i = 0; i < 100; i++) {
                  answers.execute(() -> given.add(1));
                }
              });
      late.start();

      answers.close();
      late.join();

      assertThat(given).hasSize(100);
    }
  }

  @Test
  void execute_afterTheEnd_isRunByWhoeverComes() {
    AnswerThread answers = new AnswerThread(null);
    answers.start();
    answers.close();

    answers.execute(() -> given.add(Thread.currentThread()));

    assertThat(given).containsExactly(Thread.currentThread());
  }

  @Test
  void execute_executorRefusesAndRunsItAllTheSame_isGivenOnce() throws InterruptedException {
    CountDownLatch isOver = new CountDownLatch(1);
    AtomicInteger count = new AtomicInteger();
    AnswerThread answers =
        new AnswerThread(
            task -> {
              task.run();
              throw new RejectedExecutionException("refused by the test");
            });
    answers.start();

    answers.execute(count::incrementAndGet);
    answers.execute(isOver::countDown);

    assertThat(isOver.await(30, TimeUnit.SECONDS)).isTrue();
    answers.close();
    assertThat(count).hasValue(1);
  }

  @Test
  void execute_answerThrows_theNextIsGiven() throws InterruptedException {
    CountDownLatch isOver = new CountDownLatch(1);
    AnswerThread answers = new AnswerThread(null);
    answers.start();

    answers.execute(
        () -> {
          throw new OutOfMemoryError("thrown by the test");
        });
    answers.execute(isOver::countDown);

    assertThat(isOver.await(30, TimeUnit.SECONDS)).isTrue();
    answers.close();
  }

  @Test
  void give_failsAndSoDoesTellingThat_isTriedUntilItSucceedsAndTheOthersAreGiven()
      throws InterruptedException {
    for (Executor users : Arrays.<Executor>asList(null, Runnable::run, new OtherThreads())) {
      CountDownLatch isTold = new CountDownLatch(1);
      CountDownLatch isOtherGiven = new CountDownLatch(1);
      AtomicInteger tries = new AtomicInteger();
      AnswerThread answers = new AnswerThread(users);
      answers.start();

      answers
          .prepare(
              () -> {
                throw new OutOfMemoryError("thrown by the test");
              },
              thrown -> {
                if (tries.incrementAndGet() < 3) {
                  throw new OutOfMemoryError("thrown again by the test");
                }
                isTold.countDown();
              })
          .run();
      answers.execute(isOtherGiven::countDown);

      assertThat(isOtherGiven.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(isTold.await(30, TimeUnit.SECONDS)).isTrue();
      answers.close();
      assertThat(tries).hasValue(3);
    }
  }

  /** A thread for each task. */
  private static final class OtherThreads implements Executor {
    @Override
    public void execute(Runnable task) {
      new Thread(task).start();
    }
  }

  @Tag("slow")
  @Test
  void close_executorHasDroppedWhatItWasGiven_isGivenAllTheSameAndOnce()
      throws InterruptedException {
    CountDownLatch isGiven = new CountDownLatch(2);
    AtomicInteger runs = new AtomicInteger();
    List<Runnable> begunLate = Collections.synchronizedList(new ArrayList<>());
    AnswerThread answers = new AnswerThread(begunLate::add);
    answers.start();
    for (int i = 0; i < 2; i++) {
      answers.execute(
          () -> {
            runs.incrementAndGet();
            isGiven.countDown();
          });
    }

    answers.close();

    assertThat(isGiven.await(30, TimeUnit.SECONDS)).isTrue();
    begunLate.forEach(Runnable::run);
    assertThat(runs).hasValue(2);
  }

  @Test
  void close_insideAnAnswer_doesNotWaitForItself() throws InterruptedException {
    CountDownLatch isOver = new CountDownLatch(1);
    AnswerThread answers = new AnswerThread(null);
    answers.start();

    answers.execute(
        () -> {
          answers.close();
          isOver.countDown();
        });

    assertThat(isOver.await(4, TimeUnit.SECONDS)).isTrue();
  }

  /**
   * The first failure in a full heap is the hard one: what is used for the first time takes memory,
   * even a message that is to be logged.
   */
  @Test
  @Tag("thorough")
  void give_heapIsFullAtTheFirstFailure_nobodyIsLeftBehind() throws IOException {
    // The engine itself is on the module path in tests.
    String classPath =
        System.getProperty("java.class.path")
            + File.pathSeparator
            + System.getProperty("jdk.module.path");
    List<String> command = new ArrayList<>(Machine.java());
    command.addAll(List.of("-Xmx40m", "-XX:+UseSerialGC", "-cp", classPath));
    command.add(FullHeapProcess.class.getName());

    String said = Machine.run(command.toArray(String[]::new));

    assertThat(said.lines())
        .filteredOn(line -> line.startsWith("lost "))
        .singleElement(as(STRING))
        .startsWith("lost 0, ")
        .doesNotContain("failed 0, ");
  }
}
