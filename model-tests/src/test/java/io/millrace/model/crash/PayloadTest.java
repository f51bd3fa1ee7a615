package io.millrace.model.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.crash.Payload.Named;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PayloadTest {

  private static final String JOB = "mail:0:p:1";

  @Test
  void read_payloadOfAnyVersion_namesItsJobAndVersion() {
    for (int version = 0; version < 200; version++) {
      byte[] payload = Payload.of(JOB, version);

      Named named = Payload.read(payload, Workload.headers(JOB));

      assertThat(named).isEqualTo(new Named(JOB, version));
    }
  }

  @Test
  void read_anyByteIsAnother_isDamaged() {
    byte[] payload = Payload.of(JOB, 3);
    for (int i = 0; i < payload.length; i++) {
      byte[] changed = payload.clone();
      changed[i] ^= 1;

      Named named = Payload.read(changed, Workload.headers(JOB));

      assertThat(named).as("byte %d", i).isNotEqualTo(new Named(JOB, 3));
    }
  }

  @Test
  void read_payloadIsCutOrHasOtherHeaders_isDamaged() {
    byte[] payload = Payload.of(JOB, 0);

    Named cut = Payload.read(Arrays.copyOf(payload, payload.length - 1), Workload.headers(JOB));
    Named empty = Payload.read(new byte[0], Workload.headers(JOB));
    Named otherHeaders = Payload.read(payload, Map.of("name", "other"));

    assertThat(cut).isEqualTo(Named.NONE);
    assertThat(empty).isEqualTo(Named.NONE);
    assertThat(otherHeaders).isEqualTo(Named.NONE);
  }
}
