package io.millrace.internal.transition;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobId;
import io.millrace.api.Limits;
import io.millrace.api.UpdateOptions;
import io.millrace.api.UpdateResult;
import io.millrace.internal.format.BlobKeys;
import io.millrace.internal.format.BlobRecord;
import io.millrace.internal.format.BlockedKeys;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.Payload;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.ReadyJob;
import io.millrace.internal.state.ReadyWindow;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job that nobody works on is changed. It keeps its place, but that one which gets another
 * priority while it is in a line joins the back of the new one.
 *
 * <p>If only one of payload and headers changes and they are too large for the record, the other is
 * read here, on the loop: a caller who read it before could not know that it still holds.
 */
public final class Update extends JobTransition<UpdateResult> {

  private static final int ROW_BYTES = 400;

  private final UpdateOptions options;
  private final byte @Nullable [] newPayload;
  private final @Nullable Map<String, String> newHeaders;

  public Update(JobId id, UpdateOptions options) {
    super(id);
    this.options = options;
    this.newPayload = options.payload().orElse(null);
    this.newHeaders = options.headers().orElse(null);
  }

  @Override
  public Growth growth() {
    return Growth.GROWS;
  }

  /** What is not given stays, and may be as large as it can be. */
  @Override
  public long bytesMax() {
    boolean isContentNew = newPayload != null || newHeaders != null;
    int keptBytes = newPayload == null ? 0 : Limits.PAYLOAD_BYTES_MAX - newPayload.length;
    return super.bytesMax() + (isContentNew ? RowBytes.BLOB - keptBytes : 0);
  }

  @Override
  public long bytes() {
    return ROW_BYTES + (newPayload == null ? 0 : newPayload.length);
  }

  @Override
  UpdateResult gone() {
    return UpdateResult.GONE;
  }

  @Override
  UpdateResult leased(Change change, LeaseEntry lease) {
    return UpdateResult.RUNNING;
  }

  @Override
  UpdateResult unleased(Change change, QueueState queue, byte[] key, JobRecord job) {
    if (Keyspace.ofKey(key) == Keyspace.DONE) {
      return UpdateResult.GONE;
    }
    BlobRecord content = newContent(change, queue, job);
    JobRecord.Builder builder = job.toBuilder();
    options.priority().ifPresent(builder::priority);
    options.weight().ifPresent(builder::weight);
    options.maxAttempts().ifPresent(builder::maxAttempts);
    options.backoff().ifPresent(builder::backoff);
    options.leaseDuration().map(Duration::toMillis).ifPresent(builder::leaseMs);
    if (content != null) {
      builder.payload(replaceContent(change, queue, job, content));
    }
    JobRecord updated = builder.build();
    if (!updated.equals(job)) {
      put(change, queue, key, updated);
    }
    return UpdateResult.OK;
  }

  /** What payload and headers become; null if they stay. */
  private @Nullable BlobRecord newContent(Change change, QueueState queue, JobRecord job) {
    if (newPayload == null && newHeaders == null) {
      return null;
    }
    if (newPayload != null && newHeaders != null) {
      return new BlobRecord(newPayload, newHeaders);
    }
    BlobRecord old = content(change, queue, job);
    return new BlobRecord(
        newPayload != null ? newPayload : old.payload(),
        newHeaders != null ? newHeaders : old.headers());
  }

  private static BlobRecord content(Change change, QueueState queue, JobRecord job) {
    if (job.payload() instanceof Payload.Inline inline) {
      return new BlobRecord(inline.payload(), inline.headers());
    }
    int version = ((Payload.InBlob) job.payload()).version();
    byte[] key = BlobKeys.key(queue.number(), job.birth(), version);
    byte[] value = change.get(key);
    try {
      if (value == null) {
        throw new CorruptDataException(
            "stored payload is missing: keyspace=BLOB, key=" + Bytes.hex(key));
      }
      return BlobRecord.decode(key, value);
    } catch (CorruptDataException e) {
      change.reportCorrupt(key);
      throw e;
    }
  }

  private static Payload replaceContent(
      Change change, QueueState queue, JobRecord job, BlobRecord content) {
    int oldVersion = job.payload() instanceof Payload.InBlob blob ? blob.version() : 0;
    if (oldVersion != 0) {
      change.delete(BlobKeys.key(queue.number(), job.birth(), oldVersion));
    }
    if (content.contentBytes() <= Payload.INLINE_BYTES_MAX) {
      return new Payload.Inline(content.payload(), content.headers());
    }
    byte[] key = BlobKeys.key(queue.number(), job.birth(), oldVersion + 1);
    change.put(key, content.encode(key));
    return content.asVersion(oldVersion + 1);
  }

  private static void put(Change change, QueueState queue, byte[] key, JobRecord job) {
    Keyspace keyspace = Keyspace.ofKey(key);
    if (keyspace == Keyspace.READY && ReadyKeys.priority(key) != job.priority()) {
      Moves.move(change, queue, key, job, To.READY);
    } else if (keyspace == Keyspace.BLOCKED && BlockedKeys.priority(key) != job.priority()) {
      Moves.move(change, queue, key, job, To.blocked(BlockedKeys.concurrencyKey(key)));
    } else {
      change.put(key, job.encode(key));
      if (keyspace == Keyspace.READY) {
        replaceInLine(change, queue, ReadyKeys.sequence(key), job);
      }
    }
  }

  /** The window must not serve the job as it was, nor a claim tell of what is not durable yet. */
  private static void replaceInLine(Change change, QueueState queue, long sequence, JobRecord job) {
    ReadyWindow window = queue.window(job.priority(), change.state().nextSequence());
    ReadyJob ready = window.ofSequence(sequence);
    if (ready != null) {
      change.raiseLevel(ready.level());
    }
    window.replace(new ReadyJob(sequence, job, change.batch().number(), change.level()));
    if (change.state().isOverBudget()) {
      change.state().makeRoomFor(queue);
    }
    change.wake(queue);
  }
}
