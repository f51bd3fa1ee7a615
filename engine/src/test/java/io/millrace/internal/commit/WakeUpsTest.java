package io.millrace.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Durability;
import io.millrace.internal.transition.lease.CheckLeases;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("thorough")
class WakeUpsTest {

  private static final Request.Terms TERMS = new Request.Terms(0, 0, Durability.SYNCED);
  private static final int FIRST_COUNT = WakeUps.BEFORE_WRITE;
  private static final int CALLER_COUNT = 64;
  private static final int TRIAL_COUNT = 300;
  private static final int MOMENT_NS_MAX = 200_000;

  private final AnswerThread answerThread = new AnswerThread(null);
  private final WakeUps wakeUps = new WakeUps();

  @AfterEach
  void close() {
    answerThread.close();
  }

  @Test
  void begin_callersThatSleep_allWakeEachOther() throws Exception {
    assertSleepersAreWoken();
  }

  @Test
  void begin_thoseToldFirstAreBack_theOthersAreWoken() throws Exception {
    for (int i = 0; i < CALLER_COUNT; i++) {
      Request<Integer> request = request();
      request.tell(answerThread, wakeUps);
      assertThat(request.await()).isTrue();
    }
    assertSleepersAreWoken();
  }

  @Test
  void begin_callersComeBackAtAnyMoment_noneIsLeftAsleep() throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    for (int trial = 0; trial < TRIAL_COUNT; trial++) {
      WakeUps trialWakeUps = new WakeUps();
      Callers callers = new Callers(CALLER_COUNT);
      // Some are still on their way to sleep, some see their answer before they would.
      LockSupport.parkNanos(random.nextInt(MOMENT_NS_MAX));
      callers.tell(trialWakeUps);
      LockSupport.parkNanos(random.nextInt(MOMENT_NS_MAX));

      trialWakeUps.begin(FIRST_COUNT);

      callers.assertAllBack();
    }
  }

  @Test
  void finish_thoseToldFirstGetNoProcessor_theOthersAreWoken() throws Exception {
    for (int i = 0; i < CALLER_COUNT; i++) {
      Request<Integer> ofABusyThread = request();
      assertThat(ofABusyThread.tell(answerThread, wakeUps)).isTrue();
    }
    Callers callers = new Callers(CALLER_COUNT);
    callers.awaitSleep();
    callers.tell(wakeUps);
    wakeUps.begin(FIRST_COUNT);
    assertThat(callers.back.getCount()).isEqualTo(CALLER_COUNT);

    wakeUps.finish();

    callers.assertAllBack();
  }

  @Test
  void finish_wakerDiedWhenItHadTakenSomebody_heIsWokenToo() throws Exception {
    Callers callers = new Callers(CALLER_COUNT);
    callers.awaitSleep();
    callers.tell(wakeUps);
    wakeUps.begin(0);
    assertThat(wakeUps.take()).isNotNull();

    assertThat(wakeUps.finish()).isFalse();
    assertThat(wakeUps.finish()).isTrue();

    callers.assertAllBack();
  }

  @Test
  void tell_abandoned_wakesNobodyForIt() {
    Request<Integer> request = request();
    request.abandon();

    assertThat(request.tell(answerThread, wakeUps)).isFalse();

    assertThat(request.wake()).isFalse();
    assertThat(request.await()).isFalse();
  }

  private void assertSleepersAreWoken() throws InterruptedException {
    Callers callers = new Callers(CALLER_COUNT);
    callers.awaitSleep();
    callers.tell(wakeUps);

    wakeUps.begin(FIRST_COUNT);

    callers.assertAllBack();
  }

  private static Request<Integer> request() {
    Request<Integer> request = Request.blocking(new CheckLeases(0), TERMS);
    request.resolve(7, 3, Durability.SYNCED);
    return request;
  }

  /** Threads that each wait for an answer. */
  private final class Callers {
    private final List<Request<Integer>> requests = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final CountDownLatch back;

    Callers(int count) throws InterruptedException {
      back = new CountDownLatch(count);
      CountDownLatch made = new CountDownLatch(count);
      for (int i = 0; i < count; i++) {
        Thread thread =
            new Thread(
                () -> {
                  Request<Integer> request = request();
                  synchronized (requests) {
                    requests.add(request);
                  }
                  made.countDown();
                  if (request.await()) {
                    back.countDown();
                  }
                });
        thread.setDaemon(true);
        thread.start();
        threads.add(thread);
      }
      made.await();
    }

    void awaitSleep() {
      for (Thread thread : threads) {
        while (thread.getState() != Thread.State.WAITING) {
          Thread.onSpinWait();
        }
      }
    }

    void tell(WakeUps wakers) {
      for (Request<Integer> request : requests) {
        assertThat(request.tell(answerThread, wakers)).isTrue();
      }
    }

    void assertAllBack() throws InterruptedException {
      assertThat(back.await(30, TimeUnit.SECONDS)).as("left asleep: " + back.getCount()).isTrue();
    }
  }
}
