package io.millrace.model.traps;

import static java.time.Duration.ofSeconds;

import io.millrace.api.Backoff;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobEvent;
import io.millrace.api.JobId;
import io.millrace.api.JobListener;
import io.millrace.api.JobListening;
import io.millrace.api.Lease;
import io.millrace.engine.GivenEvents;
import io.millrace.model.rig.EngineHarness;
import io.millrace.spi.testkit.rig.InProcess;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What the tests of job listeners share. */
@InProcess("it looks into the thread of a listener in the engine")
abstract class JobListenerTrapTest extends TrapTest {

  static final EnqueueOptions TWICE =
      EnqueueOptions.DEFAULT.maxAttempts(2).backoff(Backoff.fixed(ofSeconds(9)));

  /** What a listener was told. */
  static class Heard implements JobListener {

    final List<JobEvent> events = Collections.synchronizedList(new ArrayList<>());
    final List<Long> gaps = Collections.synchronizedList(new ArrayList<>());

    @Override
    public void happened(JobEvent event) {
      events.add(event);
    }

    @Override
    public void missed(long count) {
      gaps.add(count);
    }

    List<String> texts() {
      return List.copyOf(events).stream().map(JobListenerTrapTest::text).toList();
    }
  }

  static String text(JobEvent event) {
    return event.type()
        + " "
        + event.kind()
        + " "
        + event.attempt()
        + event.worker().map(worker -> " by " + worker).orElse("")
        + event.waited().map(time -> " after " + time.toMillis()).orElse("")
        + event.ran().map(time -> " ran " + time.toMillis()).orElse("")
        + event.error().map(error -> " of " + error).orElse("")
        + event.state().map(state -> " now " + state).orElse("");
  }

  static JobId enqueue(EngineHarness harness, String type) {
    return enqueue(mail(harness), type, TWICE.type(type));
  }

  static Lease claimNew(EngineHarness harness, String type) {
    enqueue(harness, type);
    return claim(mail(harness));
  }

  /** All that was told until now, of all groups that are answered. */
  static List<String> told(EngineHarness harness, JobListening listening, Heard heard) {
    harness.storeLeases();
    pokeTwice(harness);
    GivenEvents.await(listening);
    return heard.texts();
  }
}
