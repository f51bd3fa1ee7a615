package io.millrace.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Backoff;
import io.millrace.api.Codec;
import io.millrace.api.JobType;
import io.millrace.api.Wake;
import io.millrace.worker.Next;
import io.millrace.worker.Worker;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Workers as users set them up. */
@MillraceTest
class WorkersTest {

  private static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT);
  private static final JobType<String> PING = JobType.of("ping", Codec.TEXT);
  private static final Instant START = TestEngine.START_DEFAULT;

  private final List<Instant> starts = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  @Test
  void retries_ofMonths_runAtTheirInstantsOnTheThreadOfTheTest(TestEngine engine) {
    engine
        .worker()
        .handle(
            MAIL,
            (to, job) -> {
              starts.add(job.now());
              threads.add(Thread.currentThread());
              throw new IOException("smtp");
            },
            options -> options.backoff(Backoff.fixed(Duration.ofDays(10))))
        .start();
    engine.enqueue(MAIL, "ada", o -> o.maxAttempts(10));
    engine.allowFailures(IOException.class);

    assertThat(engine.run()).isEqualTo(1);
    engine.assertJobs(MAIL).delayed(1).nextIn(Duration.ofDays(10)).nothingElse();
    assertThat(engine.advance(Duration.ofDays(90))).isEqualTo(9);

    engine.assertJobs(MAIL).dead(1).anyError("smtp").hasSize(1);
    for (int i = 0; i < 10; i++) {
      assertThat(starts.get(i)).isEqualTo(START.plus(Duration.ofDays(10L * i)));
    }
    assertThat(threads).containsOnly(Thread.currentThread());
  }

  @Tag("slow")
  @Test
  void next_ofEachMinuteOfADay_runsAtItsInstant(TestEngine engine) {
    engine
        .worker()
        .steps(
            PING,
            (text, job) -> {
              starts.add(job.now());
              return Next.snooze(Duration.ofMinutes(1));
            })
        .start();
    engine.enqueue(PING, "ping", o -> o.visibleAt(START.plusSeconds(60)));

    assertThat(engine.advance(Duration.ofDays(1))).isEqualTo(1_440);

    assertThat(starts).hasSize(1_440).doesNotHaveDuplicates().endsWith(engine.now());
  }

  @Test
  void wait_forASignal_endsWithItOrWithItsDeadline(TestEngine engine) {
    List<Wake> wakes = new ArrayList<>();
    engine
        .worker()
        .steps(
            MAIL,
            (to, job) -> {
              if (job.wake() instanceof Wake.First) {
                return Next.waitFor("opened", Duration.ofDays(7));
              }
              wakes.add(job.wake());
              return Next.done();
            })
        .start();
    var ada = engine.enqueue(MAIL, "ada").jobId();
    engine.enqueue(MAIL, "bob");
    engine.run();
    engine.assertJobs(MAIL).waiting(2).nextIn(Duration.ofDays(7)).nothingElse();

    engine.advance(Duration.ofDays(1));
    assertThat(engine.signal(ada, "opened").name()).isEqualTo("WOKEN");
    assertThat(engine.run()).isEqualTo(1);
    assertThat(engine.advance(Duration.ofDays(6))).isEqualTo(1);

    assertThat(wakes).hasSize(2);
    assertThat(wakes.get(0)).isInstanceOf(Wake.Signalled.class);
    assertThat(wakes.get(1)).isEqualTo(new Wake.TimedOut("opened"));
    engine.assertJobs(MAIL).hasSize(0);
  }

  @Test
  void twoWorkers_ofTwoTypes_takeTurnsUntilTheyAreStopped(TestEngine engine) {
    List<String> done = new ArrayList<>();
    Worker first = engine.worker().handle(MAIL, (text, job) -> done.add(text)).start();
    Worker second = engine.worker().handle(PING, (text, job) -> done.add(text)).start();
    engine.enqueueAll(MAIL, List.of("mail 1", "mail 2"));
    engine.enqueueAll(PING, List.of("ping 1", "ping 2"));

    assertThat(engine.run()).isEqualTo(4);
    first.close();
    second.pause();
    engine.enqueue(MAIL, "mail 3");
    engine.enqueue(PING, "ping 3");
    assertThat(engine.run()).isZero();
    second.resume();
    assertThat(engine.run()).isEqualTo(1);
    second.close();

    assertThat(done).containsExactly("mail 1", "ping 1", "mail 2", "ping 2", "ping 3");
  }
}
