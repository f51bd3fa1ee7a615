package io.millrace.internal.format;

import io.millrace.api.JobId;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * The place where a job's record was born, which is what the job's id contains. On disk, never
 * change.
 *
 * <pre>
 *  offset 0  4 bytes  queue number, big-endian
 *         4  1 byte   keyspace of birth: READY, DELAYED or BLOCKED
 *         5  1 byte   127 - priority at birth
 *         6  8 bytes  birth sequence, big-endian, never negative
 *        14  2 bytes  spare, zero
 * </pre>
 *
 * <p>A job that was born in READY and never moved is at {@link #birthReadyKey()}; any other has a
 * MOVED row.
 *
 * @param queue the queue's number, not negative
 * @param birthKind READY, DELAYED or BLOCKED
 * @param priority the priority at birth, -128 to 127
 * @param birth the birth sequence, not negative
 */
public record JobAddress(int queue, Keyspace birthKind, int priority, long birth) {

  public JobAddress {
    KeyLayout.checkQueue(queue);
    KeyLayout.checkPriority(priority);
    KeyLayout.checkSequence(birth);
    if (!isBirthKind(birthKind)) {
      throw new IllegalArgumentException("no job is born there: keyspace=" + birthKind);
    }
  }

  /** Returns the address in the id; empty if no job in a store could have this id. */
  public static Optional<JobAddress> of(JobId id) {
    int queue = (int) (id.high() >>> 32);
    Keyspace birthKind = Keyspace.find((byte) (id.high() >>> 24));
    int priority = KeyLayout.decodePriority((byte) (id.high() >>> 16));
    long birth = (id.high() & 0xffff) << 48 | id.low() >>> 16;
    boolean hasSpare = (id.low() & 0xffff) != 0;
    if (queue < 0 || birth < 0 || hasSpare || birthKind == null || !isBirthKind(birthKind)) {
      return Optional.empty();
    }
    return Optional.of(new JobAddress(queue, birthKind, priority, birth));
  }

  public JobId toJobId() {
    long kindAndPriority = birthKind.code() << 8 | KeyLayout.encodePriority(priority) & 0xff;
    return new JobId((long) queue << 32 | kindAndPriority << 16 | birth >>> 48, birth << 16);
  }

  /**
   * Returns the key where the record was born.
   *
   * @throws IllegalStateException the job was not born in READY
   */
  public byte[] birthReadyKey() {
    if (birthKind != Keyspace.READY) {
      throw new IllegalStateException("job was not born in READY: address=" + this);
    }
    return ReadyKeys.key(queue, priority, birth);
  }

  /** Tells whether the record was born at the key, so that no MOVED row leads there. */
  public boolean isBirthKey(byte[] key) {
    return birthKind == Keyspace.READY && Arrays.equals(key, birthReadyKey());
  }

  static boolean isBirthKind(Keyspace keyspace) {
    StateTraits traits = StateTraits.find(Objects.requireNonNull(keyspace, "birthKind"));
    return traits != null && traits.isBirthplace();
  }
}
