package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.BroadcastReport;
import io.millrace.api.JobId;
import io.millrace.api.QueueName;
import io.millrace.api.SignalResult;
import io.millrace.api.WaitResult;
import io.millrace.api.Wake;
import io.millrace.internal.format.Keyspace;
import io.millrace.model.rig.EngineHarness;
import io.millrace.spi.ReadView;

/** What the traps of signals share. */
abstract class SignalTrapTest extends TrapTest {

  static final QueueName MAIL = QueueName.of("mail");

  static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  static Wake signalled(String signal, String payload) {
    return new Wake.Signalled(signal, bytes(payload));
  }

  /** A job that waits for the signal. */
  static JobId waiting(EngineHarness harness, String signal) {
    JobId id = enqueue(mail(harness), "waits for " + signal);
    assertThat(claim(mail(harness)).waitFor(signal)).isEqualTo(WaitResult.WAITING);
    return id;
  }

  static SignalResult send(EngineHarness harness, JobId id, String name, String payload) {
    return harness.queues().signal(id, name, bytes(payload));
  }

  static BroadcastReport broadcast(EngineHarness harness, String name, String payload) {
    return harness.queues().signals().broadcast(MAIL, name, bytes(payload));
  }

  /** How many rows of signals there are. */
  static int signalRows(EngineHarness harness) {
    try (ReadView view = harness.store().read()) {
      return view.scan(
          Keyspace.SIGNAL.start(), Keyspace.SIGNAL.end(), Integer.MAX_VALUE, (key, value) -> true);
    }
  }
}
