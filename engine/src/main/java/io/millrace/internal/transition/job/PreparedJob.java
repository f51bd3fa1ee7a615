package io.millrace.internal.transition.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.EnqueueOptions;
import io.millrace.internal.format.BlobRecord;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.Payload;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.state.WorkingSet;
import org.jspecify.annotations.Nullable;

/**
 * What of a new job can be made ready on the caller's thread.
 *
 * @param reserved the job's id, if that was told before
 */
record PreparedJob(
    EnqueueOptions options,
    Payload payload,
    @Nullable BlobRecord blob,
    byte @Nullable [] concurrencyKey,
    @Nullable JobAddress reserved) {

  /** The version of a job's first BLOB row. */
  static final int FIRST_BLOB_VERSION = 1;

  /** Fewer holders of the key than this let the job go on; 0 if its queue says that. */
  int engineMost() {
    return options.engineConcurrencyMost().orElse(0);
  }

  /**
   * Key of the SLOT row of its concurrency key.
   *
   * @param queue its number; {@link WorkingSet#NO_QUEUE} if nobody knows it, or there is none: then
   *     a key of the queue has none either
   */
  byte @Nullable [] slotKey(int queue) {
    byte[] key = concurrencyKey;
    if (key == null || engineMost() > 0) {
      return key == null ? null : SlotKeys.keyOfEngine(key);
    }
    return queue == WorkingSet.NO_QUEUE ? null : SlotKeys.key(queue, key);
  }

  /** Of options and content that are sound. */
  static PreparedJob of(EnqueueOptions options, BlobRecord content, @Nullable JobAddress reserved) {
    byte[] concurrencyKey =
        options
            .concurrencyKey()
            .or(options::engineConcurrencyKey)
            .map(key -> key.getBytes(UTF_8))
            .orElse(null);
    if (content.contentBytes() > Payload.INLINE_BYTES_MAX) {
      Payload payload = content.asVersion(FIRST_BLOB_VERSION);
      return new PreparedJob(options, payload, content, concurrencyKey, reserved);
    }
    Payload payload = new Payload.Inline(content.payload(), options.headers());
    return new PreparedJob(options, payload, null, concurrencyKey, reserved);
  }
}
