package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofHours;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.Enqueued;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.UniqueKey;
import io.millrace.internal.format.Keyspace;
import io.millrace.model.rig.EngineHarness;
import io.millrace.spi.ReadView;

/** What the tests of unique keys have in common: one key, and who holds it. */
abstract class UniqueTrapTest extends TrapTest {

  static final UniqueKey KEY = UniqueKey.of("welcome:ada");
  static final EnqueueOptions UNIQUE = EnqueueOptions.DEFAULT.unique(KEY);
  static final EnqueueOptions REPLACING = EnqueueOptions.DEFAULT.unique(KEY.replace());
  static final EnqueueOptions UNTIL_STARTED = EnqueueOptions.DEFAULT.unique(KEY.untilStarted());
  static final EnqueueOptions HOURLY = EnqueueOptions.DEFAULT.unique(KEY.within(ofHours(1)));
  static final FailOptions DEAD = FailOptions.PERMANENT;

  static Enqueued put(EngineHarness harness, String payload, EnqueueOptions options) {
    return mail(harness).enqueue(payload.getBytes(UTF_8), options);
  }

  static void assertFree(EngineHarness harness) {
    assertThat(rowCount(harness, Keyspace.UNIQUE)).isZero();
    assertClean(harness);
    Enqueued next = put(harness, "next", UNIQUE);
    assertThat(next.kind()).isEqualTo(Enqueued.Kind.NEW);
    assertClean(harness);
  }

  static void assertHeldBy(EngineHarness harness, JobId holder) {
    assertThat(put(harness, "another", UNIQUE)).isEqualTo(Enqueued.duplicateOf(holder));
    assertClean(harness);
  }

  static int rowCount(EngineHarness harness, Keyspace keyspace) {
    pokeTwice(harness);
    try (ReadView view = harness.store().read()) {
      return view.scan(keyspace.start(), keyspace.end(), Integer.MAX_VALUE, (key, value) -> true);
    }
  }
}
