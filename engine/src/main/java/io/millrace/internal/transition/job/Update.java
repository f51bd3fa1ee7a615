package io.millrace.internal.transition.job;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobId;
import io.millrace.api.Limits;
import io.millrace.api.UpdateOptions;
import io.millrace.api.UpdateResult;
import io.millrace.internal.format.BlobKeys;
import io.millrace.internal.format.BlobRecord;
import io.millrace.internal.format.BlockedKeys;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.JobField;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.JobRecordBuilder;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.Payload;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.format.RowBytes;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.Holdings;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.ReadyJob;
import io.millrace.internal.state.ReadyWindow;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Plan;
import io.millrace.internal.transition.Planned;
import io.millrace.internal.transition.move.Destination;
import io.millrace.internal.transition.move.Moves;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The change of a job that is not leased. The job keeps its place, except that one which gets
 * another priority while it is in a line joins the back of the new line.
 *
 * <p>If only one of payload and headers changes and they are too large for the record, the other is
 * read here, on the loop: a caller who read it before could not know that it still holds.
 */
public final class Update extends JobOperation<UpdateResult> {

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

  /**
   * Counts payload or headers that are not given as if they were as large as they can be: they
   * stay.
   */
  @Override
  public Cost cost() {
    boolean isContentNew = newPayload != null || newHeaders != null;
    int keptBytes = newPayload == null ? 0 : Limits.PAYLOAD_BYTES_MAX - newPayload.length;
    return super.cost().plusBytes(isContentNew ? RowBytes.BLOB - keptBytes : 0);
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
  Plan<UpdateResult> leased(OpenBatch batch, LeaseEntry lease) {
    return Plan.answer(UpdateResult.RUNNING);
  }

  @Override
  Plan<UpdateResult> unleased(OpenBatch batch, FoundJob found, JobRecord job) {
    if (found.isGone()) {
      return Plan.answer(UpdateResult.GONE);
    }
    BlobRecord content = newContent(batch, found, job);
    JobRecordBuilder builder = job.toBuilder();
    options.priority().ifPresent(builder::priority);
    options.weight().ifPresent(builder::weight);
    options.maxAttempts().ifPresent(builder::maxAttempts);
    options.backoff().ifPresent(builder::backoff);
    options
        .leaseDuration()
        .ifPresent(duration -> builder.set(JobField.LEASE_MS, duration.toMillis()));
    if (content != null) {
      builder.payload(
          content.contentBytes() <= Payload.INLINE_BYTES_MAX
              ? new Payload.Inline(content.payload(), content.headers())
              : content.asVersion(job.nextBlobVersion()));
    }
    JobRecord updated = builder.build();
    return updated.equals(job)
        ? Plan.answer(UpdateResult.UPDATED)
        : new Changing(found, job, updated, content);
  }

  /** The plan that a job is changed. */
  private record Changing(
      FoundJob found, JobRecord before, JobRecord updated, @Nullable BlobRecord content)
      implements Plan<UpdateResult> {

    @Override
    public UpdateResult carryOut(OpenBatch batch) {
      byte[] key = found.key(batch);
      if (content != null) {
        Holdings.of(found.queueNumber(), key, before)
            .replacePayload(batch.writes(), updated.payload().blobVersion(), content);
      }
      put(batch, found.queue(), key, updated);
      return UpdateResult.UPDATED;
    }

    @Override
    public void foretell(OpenBatch batch) {
      found.foretell(batch, new Planned.After(found.state(), updated, content, false));
    }
  }

  /** Returns the payload and headers that the job gets; null if they stay. */
  private @Nullable BlobRecord newContent(OpenBatch batch, FoundJob found, JobRecord job) {
    if (newPayload == null && newHeaders == null) {
      return null;
    }
    if (newPayload != null && newHeaders != null) {
      return new BlobRecord(newPayload, newHeaders);
    }
    BlobRecord old = content(batch, found, job);
    return new BlobRecord(
        newPayload != null ? newPayload : old.payload(),
        newHeaders != null ? newHeaders : old.headers());
  }

  private static BlobRecord content(OpenBatch batch, FoundJob found, JobRecord job) {
    if (job.payload() instanceof Payload.Inline inline) {
      return new BlobRecord(inline.payload(), inline.headers());
    }
    BlobRecord planned = found.plannedContent();
    if (planned != null) {
      return planned;
    }
    byte[] key = BlobKeys.key(found.queueNumber(), job.birth(), job.payload().blobVersion());
    byte[] value = batch.get(key);
    try {
      if (value == null) {
        throw new CorruptDataException(
            "stored payload is missing: keyspace=BLOB, key=" + Bytes.hex(key));
      }
      return BlobRecord.decode(key, value);
    } catch (CorruptDataException e) {
      batch.reportCorrupt(key);
      throw e;
    }
  }

  /** Puts another record of the job at the key, or behind those of its new priority. */
  static void put(OpenBatch batch, QueueState queue, byte[] key, JobRecord job) {
    Keyspace keyspace = Keyspace.ofKey(key);
    if (keyspace == Keyspace.READY && ReadyKeys.priority(key) != job.priority()) {
      Moves.move(batch, queue, key, job, Destination.LINE);
    } else if (keyspace == Keyspace.BLOCKED && BlockedKeys.priority(key) != job.priority()) {
      Moves.move(batch, queue, key, job, Destination.blocked(BlockedKeys.concurrencyKey(key)));
    } else {
      batch.put(key, job.encode(key));
      if (keyspace == Keyspace.READY) {
        replaceInLine(batch, queue, ReadyKeys.sequence(key), job);
      }
    }
  }

  /**
   * Replaces the job in the window, which must not serve it as it was; nor may a claim tell of what
   * is not durable yet.
   */
  private static void replaceInLine(
      OpenBatch batch, QueueState queue, long sequence, JobRecord job) {
    ReadyWindow window = queue.window(job.priority(), batch.state().nextSequence());
    ReadyJob ready = window.ofSequence(sequence);
    if (ready != null) {
      batch.raiseLevel(ready.level());
    }
    window.replace(new ReadyJob(sequence, job, batch.writes().number(), batch.level()));
    if (batch.state().isOverBudget()) {
      batch.state().makeRoomFor(queue);
    }
    batch.wake(queue);
  }
}
