package io.millrace.jmh.load;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Payloads of jobs: their number, when they are due, and bytes that no compression makes smaller.
 *
 * <pre>
 * offset 0   8 bytes  number, big-endian
 *        8   8 bytes  due on the monotonic clock, in nanoseconds; 0 for at once
 *        16  random
 * </pre>
 */
public final class Payloads {

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final int DUE_OFFSET = 8;
  private static final int RANDOM_OFFSET = 16;
  private static final int RANDOM_BYTES = 1 << 20;

  /** The step from where one seed begins to where the next does: odd, so that they go all round. */
  private static final int SEED_STRIDE = 98_317;

  /** The bytes that all payloads are cut from: thousands of producers would else hold some each. */
  private static final byte[] RANDOM = new byte[RANDOM_BYTES];

  static {
    new Random(1).nextBytes(RANDOM);
  }

  private final int payloadBytes;
  private final long start;

  /** Creates payloads. Those of two seeds have other bytes under the same sequence. */
  Payloads(int payloadBytes, long seed) {
    this.payloadBytes = payloadBytes;
    this.start = seed * SEED_STRIDE;
  }

  /** Returns empty payloads for one call. */
  List<byte[]> allocate(int count) {
    List<byte[]> payloads = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      payloads.add(new byte[payloadBytes]);
    }
    return payloads;
  }

  /**
   * Fills a payload with the number of its job, the instant at which the job is due, and random
   * bytes.
   */
  void fill(byte[] payload, long number, long dueNs) {
    LONG.set(payload, 0, number);
    LONG.set(payload, DUE_OFFSET, dueNs);
    int from = (int) (start + (number * 61 & 0xFFFF)) & (RANDOM_BYTES - 1);
    int offset = RANDOM_OFFSET;
    while (offset < payloadBytes) {
      int length = Math.min(payloadBytes - offset, RANDOM_BYTES - from);
      System.arraycopy(RANDOM, from, payload, offset, length);
      offset += length;
      from = 0;
    }
  }

  /** Returns the number of the payload's job. */
  public static long number(byte[] payload) {
    return (long) LONG.get(payload, 0);
  }

  static long dueNs(byte[] payload) {
    return (long) LONG.get(payload, DUE_OFFSET);
  }
}
