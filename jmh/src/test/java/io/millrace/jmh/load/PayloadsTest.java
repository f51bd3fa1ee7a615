package io.millrace.jmh.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PayloadsTest {

  private static final int HEADER_BYTES = 16;

  @Test
  void fill_anyPayload_holdsNumberAndDueTime() {
    byte[] payload = filled(2 << 20, 7, 123_456_789_012L, 42);

    assertThat(Payloads.number(payload)).isEqualTo(123_456_789_012L);
    assertThat(Payloads.dueNs(payload)).isEqualTo(42);
    assertThat(rest(payload)).hasSize((2 << 20) - HEADER_BYTES);
  }

  @Test
  void fill_sameSequenceOfTwoSeeds_hasOtherBytes() {
    byte[] first = filled(256, 1, 5, 0);
    byte[] second = filled(256, 2, 5, 0);

    assertThat(rest(first)).isNotEqualTo(rest(second));
    assertThat(rest(first)).isEqualTo(rest(filled(256, 1, 5, 0)));
  }

  private static byte[] filled(int length, long seed, long number, long dueNs) {
    Payloads payloads = new Payloads(length, seed);
    byte[] payload = payloads.allocate(1).get(0);
    payloads.fill(payload, number, dueNs);
    return payload;
  }

  private static byte[] rest(byte[] payload) {
    return Arrays.copyOfRange(payload, HEADER_BYTES, payload.length);
  }
}
