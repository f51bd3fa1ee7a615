package io.millrace.model.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Job;
import io.millrace.api.Lease;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * The bytes of a job, or those that its last checkpoint kept, which name it and how often they were
 * changed, and prove that they are whole: they follow from the two.
 */
final class Payload {

  /** The name of what is not a payload of ours, or no longer. */
  static final String DAMAGED = "damaged";

  private static final int SHORT_BYTES = 120;
  private static final int LONG_BYTES = 5_000;
  private static final int LARGE_BYTES = 100_000;

  /** What a payload says that it is. */
  record Named(String job, int version) {
    static final Named NONE = new Named(DAMAGED, 0);
  }

  private Payload() {}

  /** Most are short; one in ten is stored apart, one in a hundred takes many pages. */
  static byte[] of(String job, int version) {
    byte[] head = (job + "|" + version + "|").getBytes(UTF_8);
    Random random = new Random(31L * job.hashCode() + version);
    int kind = random.nextInt(100);
    int most = kind == 0 ? LARGE_BYTES : kind < 10 ? LONG_BYTES : SHORT_BYTES;
    byte[] payload = new byte[head.length + random.nextInt(most)];
    random.nextBytes(payload);
    System.arraycopy(head, 0, payload, 0, head.length);
    return payload;
  }

  /** The newer of payload and kept state; both must be whole. */
  static Named newest(Lease lease) {
    return newest(lease.payload(), lease.checkpointed(), lease.headers());
  }

  /** As {@link #newest(Lease)}. */
  static Named newest(Job job) {
    return newest(job.payload(), job.checkpointed(), job.headers());
  }

  private static Named newest(byte[] payload, Optional<byte[]> state, Map<String, String> headers) {
    Named asked = read(payload, headers);
    Named kept = state.map(bytes -> read(bytes, headers)).orElse(asked);
    boolean isWhole = asked.job().equals(kept.job());
    return !isWhole ? Named.NONE : kept.version() > asked.version() ? kept : asked;
  }

  /** Which payload it is, if bytes and headers are what they must be. */
  static Named read(byte[] payload, Map<String, String> headers) {
    int end = indexOf(payload, '|', 0);
    int last = indexOf(payload, '|', end + 1);
    if (end < 0 || last < 0) {
      return Named.NONE;
    }
    String job = new String(payload, 0, end, UTF_8);
    String version = new String(payload, end + 1, last - end - 1, UTF_8);
    if (!version.matches("\\d{1,9}")) {
      return Named.NONE;
    }
    Named named = new Named(job, Integer.parseInt(version));
    boolean isWhole = Arrays.equals(of(job, named.version()), payload);
    return isWhole && headers.equals(Workload.headers(job)) ? named : Named.NONE;
  }

  private static int indexOf(byte[] bytes, char wanted, int from) {
    for (int i = from; i < bytes.length; i++) {
      if (bytes[i] == wanted) {
        return i;
      }
    }
    return -1;
  }
}
