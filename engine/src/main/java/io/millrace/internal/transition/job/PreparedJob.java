package io.millrace.internal.transition.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.EnqueueOptions;
import io.millrace.internal.format.BlobRecord;
import io.millrace.internal.format.EngineRate;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.Payload;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.state.SlotRef;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.move.TallyTie;
import org.jspecify.annotations.Nullable;

/**
 * A new job, as far as it can be made ready on the caller's thread.
 *
 * @param reserved the job's id, if that was told before
 * @param tie what the job has to do with tallies
 */
record PreparedJob(
    EnqueueOptions options,
    Payload payload,
    @Nullable BlobRecord blob,
    @Nullable WantedSlot slot,
    @Nullable JobAddress reserved,
    TallyTie tie) {

  /** The version of a job's first BLOB row. */
  static final int FIRST_BLOB_VERSION = 1;

  /** The slot that a new job is to have. */
  static final class WantedSlot {

    private final byte[] concurrencyKey;
    private final int engineMost;
    private @Nullable SlotRef ref;

    /** Creates the wish for a slot of this key; the number is that of {@link #engineMost}. */
    WantedSlot(byte[] concurrencyKey, int engineMost) {
      this.concurrencyKey = concurrencyKey;
      this.engineMost = engineMost;
      this.ref = engineMost > 0 ? new SlotRef(SlotKeys.keyOfEngine(concurrencyKey)) : null;
    }

    byte[] concurrencyKey() {
      return concurrencyKey;
    }

    /**
     * Returns the holders of the key from which on the job is blocked; 0 if its queue says that.
     */
    int engineMost() {
      return engineMost;
    }

    /**
     * Returns where the slot is counted; null if that is nowhere.
     *
     * @param queue number of the job's queue; {@link WorkingSet#NO_QUEUE} if it is not known, or
     *     there is none: then a key of the queue is counted nowhere
     */
    @Nullable SlotRef ref(int queue) {
      SlotRef known = ref;
      if (engineMost > 0 || (known != null && known.queue() == queue)) {
        return known;
      }
      ref = queue == WorkingSet.NO_QUEUE ? null : new SlotRef(SlotKeys.key(queue, concurrencyKey));
      return ref;
    }
  }

  /**
   * Returns where the job's slot is counted, as {@link WantedSlot#ref} says; null if it wants none.
   */
  @Nullable SlotRef slotRef(int queue) {
    return slot == null ? null : slot.ref(queue);
  }

  byte @Nullable [] concurrencyKey() {
    return slot == null ? null : slot.concurrencyKey();
  }

  /** Returns the rate limit over all queues that the job names; null if it names none. */
  @Nullable EngineRate engineRate() {
    return options
        .engineRateKey()
        .map(key -> new EngineRate(key.getBytes(UTF_8), options.engineRateLimit().orElseThrow()))
        .orElse(null);
  }

  int engineMost() {
    return slot == null ? 0 : slot.engineMost();
  }

  /** Returns the number of the tally that is to count the job; 0 for none. */
  long tallyNumber() {
    return tie.countedNumber();
  }

  /** Prepares a job of options and content that are sound. */
  static PreparedJob of(
      EnqueueOptions options, BlobRecord content, @Nullable JobAddress reserved, TallyTie tie) {
    int engineMost = options.engineConcurrencyMost().orElse(0);
    WantedSlot slot =
        options
            .concurrencyKey()
            .or(options::engineConcurrencyKey)
            .map(key -> new WantedSlot(key.getBytes(UTF_8), engineMost))
            .orElse(null);
    if (content.contentBytes() > Payload.INLINE_BYTES_MAX) {
      Payload payload = content.asVersion(FIRST_BLOB_VERSION);
      return new PreparedJob(options, payload, content, slot, reserved, tie);
    }
    Payload payload = new Payload.Inline(content.payload(), options.headers());
    return new PreparedJob(options, payload, null, slot, reserved, tie);
  }
}
