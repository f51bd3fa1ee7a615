package io.millrace.engine;

import io.millrace.api.CorruptDataException;
import io.millrace.api.EngineClosedException;
import io.millrace.api.EnginePoisonedException;
import io.millrace.internal.commit.CommitLoop;
import io.millrace.internal.commit.ReopenableStore;
import io.millrace.internal.format.BlobKeys;
import io.millrace.internal.format.BlobRecord;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Payload;
import io.millrace.internal.read.OpenViews;
import io.millrace.internal.read.StoreReader;
import io.millrace.internal.transition.lease.Grant;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreBusyException;
import io.millrace.spi.StoreClosedException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The delivery of granted leases, with what their holders see of the jobs. Large payloads and
 * states of one claim are read here together, on the claimer's thread, after the commit.
 *
 * <p>If a row is gone, the lease on its job has ended meanwhile: that lease is left out.
 */
final class LeaseDelivery {

  private final CommitLoop loop;
  private final ReopenableStore store;
  private final OpenViews views;
  private final StoreReader.CorruptRows corrupt;

  LeaseDelivery(
      CommitLoop loop, ReopenableStore store, OpenViews views, StoreReader.CorruptRows corrupt) {
    this.loop = loop;
    this.store = store;
    this.views = views;
    this.corrupt = corrupt;
  }

  /**
   * Returns the grants with all that the jobs have in rows of their own, in order.
   *
   * @throws CorruptDataException none of the payloads could be read
   * @throws EngineClosedException the engine was closed meanwhile, which handed the jobs back
   * @throws EnginePoisonedException the engine was poisoned meanwhile and is being reopened
   * @throws StoreBusyException too many others read; what was claimed is to be handed back
   */
  List<Grant> whole(List<Grant> grants) {
    List<byte[]> keys = new ArrayList<>();
    for (Grant grant : grants) {
      for (Payload.InBlob blob : grant.job().blobs()) {
        keys.add(key(grant, blob));
      }
    }
    if (keys.isEmpty()) {
      return grants;
    }
    try {
      return StoreReader.ask(store::store, opened -> whole(grants, keys, opened));
    } catch (StoreClosedException e) {
      throw loop.storeClosed("what was claimed is handed back", e);
    }
  }

  private List<Grant> whole(List<Grant> grants, List<byte[]> keys, OrderedStore opened) {
    Iterator<byte @Nullable []> rows = views.getAll(opened, keys).iterator();
    CorruptDataException corruptOne = null;
    List<Grant> whole = new ArrayList<>(grants.size());
    for (Grant grant : grants) {
      Payload kept = grant.job().checkpointed();
      byte[] payloadRow = grant.job().payload() instanceof Payload.InBlob ? rows.next() : null;
      byte[] stateRow = kept instanceof Payload.InBlob ? rows.next() : null;
      try {
        Payload.Inline content = content(grant, grant.job().payload(), payloadRow, opened);
        Payload.Inline state = kept == null ? null : content(grant, kept, stateRow, opened);
        if (content != null && (state != null || kept == null)) {
          whole.add(grant.with(content, state));
        }
      } catch (CorruptDataException e) {
        corruptOne = e;
      }
    }
    if (whole.isEmpty() && corruptOne != null) {
      throw corruptOne;
    }
    return whole;
  }

  /**
   * Returns a payload or state, from the job's record or from its own row; null if the row is gone
   * because the job or the lease has ended.
   */
  private Payload.@Nullable Inline content(
      Grant grant, Payload payload, byte @Nullable [] row, OrderedStore opened) {
    if (payload instanceof Payload.Inline inline) {
      return inline;
    }
    Payload.InBlob inBlob = (Payload.InBlob) payload;
    byte[] key = key(grant, inBlob);
    try {
      if (row != null) {
        BlobRecord blob = BlobRecord.decode(key, row);
        return new Payload.Inline(blob.payload(), blob.headers());
      }
      if (isLost(grant, inBlob, opened)) {
        throw new CorruptDataException(
            "stored payload is missing: keyspace=BLOB, key=" + Bytes.hex(key));
      }
      return null;
    } catch (CorruptDataException e) {
      corrupt.found(key);
      throw e;
    }
  }

  private static byte[] key(Grant grant, Payload.InBlob blob) {
    return BlobKeys.key(grant.lease().queue(), grant.lease().birth(), blob.version());
  }

  /**
   * Tells whether the job is still where it was claimed and its record names that row, though the
   * row is not there: all as of one moment.
   */
  private boolean isLost(Grant grant, Payload.InBlob wanted, OrderedStore opened) {
    byte[] key = grant.lease().readyKey();
    List<byte @Nullable []> rows = views.getAll(opened, List.of(key(grant, wanted), key));
    byte[] record = rows.get(1);
    return rows.get(0) == null
        && record != null
        && JobRecord.decode(key, record).blobs().stream()
            .anyMatch(blob -> blob.version() == wanted.version());
  }
}
