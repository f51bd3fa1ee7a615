package io.millrace.engine;

import io.millrace.api.CorruptDataException;
import io.millrace.api.EngineClosedException;
import io.millrace.api.EnginePoisonedException;
import io.millrace.api.Lease;
import io.millrace.internal.commit.CommitLoop;
import io.millrace.internal.commit.ReopenableStore;
import io.millrace.internal.format.BlobKeys;
import io.millrace.internal.format.BlobRecord;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Payload;
import io.millrace.internal.read.CorruptRows;
import io.millrace.internal.read.OpenViews;
import io.millrace.internal.read.StoreReader;
import io.millrace.internal.transition.lease.Grant;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreBusyException;
import io.millrace.spi.StoreClosedException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns grants into the leases that callers see. Large payloads are read here, on the claimer's
 * thread, after the commit.
 *
 * <p>A payload that is gone belongs to a job whose lease has ended meanwhile: that lease is left
 * out.
 */
final class LeaseDelivery {

  private final CommitLoop loop;
  private final ReopenableStore store;
  private final OpenViews views;
  private final CorruptRows corrupt;

  LeaseDelivery(CommitLoop loop, ReopenableStore store, OpenViews views, CorruptRows corrupt) {
    this.loop = loop;
    this.store = store;
    this.views = views;
    this.corrupt = corrupt;
  }

  /**
   * The leases, in order.
   *
   * @param submitter what their holders do with them is submitted to
   * @throws CorruptDataException none of the payloads could be read
   * @throws EngineClosedException the engine was closed meanwhile, which handed the jobs back
   * @throws EnginePoisonedException the engine was poisoned meanwhile and is being reopened
   * @throws StoreBusyException too many others read; what was claimed is to be handed back
   */
  List<Lease> deliver(List<Grant> grants, Submitter submitter) {
    if (grants.isEmpty()) {
      return List.of();
    }
    CorruptDataException corrupt = null;
    List<Lease> leases = new ArrayList<>(grants.size());
    for (Grant grant : grants) {
      try {
        Payload.Inline content = content(grant);
        if (content != null) {
          leases.add(new LeaseHandle(submitter, grant, content));
        }
      } catch (CorruptDataException e) {
        corrupt = e;
      }
    }
    if (leases.isEmpty() && corrupt != null) {
      throw corrupt;
    }
    return leases;
  }

  /** Whether the job is still where it was claimed, with this version of its payload. */
  private static boolean isWanted(ReadView view, Grant grant, int version) {
    byte[] key = grant.lease().readyKey();
    byte[] record = view.get(key);
    return record != null
        && JobRecord.decode(key, record).payload() instanceof Payload.InBlob blob
        && blob.version() == version;
  }

  private Payload.@Nullable Inline content(Grant grant) {
    Payload payload = grant.job().payload();
    if (payload instanceof Payload.Inline inline) {
      return inline;
    }
    int version = ((Payload.InBlob) payload).version();
    try {
      return StoreReader.ask(store::store, opened -> content(grant, version, opened));
    } catch (StoreClosedException e) {
      throw loop.storeClosed("what was claimed is handed back", e);
    }
  }

  private Payload.@Nullable Inline content(Grant grant, int version, OrderedStore opened) {
    byte[] key = BlobKeys.key(grant.lease().queue(), grant.lease().birth(), version);
    byte[] value;
    boolean isLost;
    try (ReadView view = views.open(opened)) {
      value = view.get(key);
      isLost = value == null && isWanted(view, grant, version);
    }
    if (isLost) {
      corrupt.found(key);
      throw new CorruptDataException(
          "stored payload is missing: keyspace=BLOB, key=" + Bytes.hex(key));
    }
    if (value == null) {
      return null;
    }
    try {
      BlobRecord blob = BlobRecord.decode(key, value);
      return new Payload.Inline(blob.payload(), blob.headers());
    } catch (CorruptDataException e) {
      corrupt.found(key);
      throw e;
    }
  }
}
