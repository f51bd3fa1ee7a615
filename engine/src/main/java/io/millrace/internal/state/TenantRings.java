package io.millrace.internal.state;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.agrona.collections.MutableInteger;
import org.jspecify.annotations.Nullable;

/**
 * The rings of tenants of the names across whose tenants somebody claims; most engines have none.
 */
public final class TenantRings {

  private final UndoLog undoLog;
  private final SharedSettings.OfAll sharedSettings;
  private final Map<String, TenantRing> byName = new HashMap<>(0);

  /** How many tenants are in all rings; each ring counts its own. */
  private final MutableInteger turnCount = new MutableInteger();

  /** The number of turns that names had in claims of several. */
  private long nameTurnCount;

  private int undoCount;

  TenantRings(UndoLog undoLog, SharedSettings.OfAll sharedSettings) {
    this.undoLog = undoLog;
    this.sharedSettings = sharedSettings;
  }

  /** The ring of the name, or null if nobody claims across its tenants. */
  public @Nullable TenantRing find(String queueName) {
    return byName.isEmpty() ? null : byName.get(queueName);
  }

  /** The ring of the name, for somebody who claims across its tenants. */
  public TenantRing ring(String queueName, long nowNs) {
    TenantRing ring = byName.get(queueName);
    if (ring == null) {
      ring = new TenantRing(queueName, undoLog, turnCount);
      byName.put(queueName, ring);
      show(queueName, ring);
    }
    ring.noteUse(nowNs);
    return ring;
  }

  /** Notes that a claim of several names has taken a job of this one. */
  public void noteNameTurn(TenantRing ring) {
    ring.setTurn(++nameTurnCount);
  }

  /** Queues in memory find it at hand. */
  private void show(String queueName, @Nullable TenantRing ring) {
    SharedSettings shared = sharedSettings.find(queueName);
    if (shared != null) {
      shared.setTenants(ring);
    }
  }

  /** Rings that nobody has used since the given time, and nobody waits for, are no more. */
  public void dropUnused(long sinceNs) {
    Iterator<TenantRing> rings = byName.values().iterator();
    while (rings.hasNext()) {
      TenantRing ring = rings.next();
      if (ring.isUnusedSince(sinceNs)) {
        rings.remove();
        ring.forget();
        show(ring.queueName(), null);
      }
    }
  }

  /** The store may have been another's meanwhile. Nobody waits. */
  public void forget() {
    byName.keySet().forEach(queueName -> show(queueName, null));
    byName.values().forEach(TenantRing::forget);
    byName.clear();
  }

  /** Across the tenants of how many names somebody claims. */
  public int size() {
    return byName.size();
  }

  /** How many tenants of these names are in their rings. */
  public int turnCount() {
    return turnCount.value;
  }

  /** A batch never happened: what somebody found in it may be otherwise. */
  void undoBatch() {
    undoCount++;
  }

  /** How many batches never happened. */
  public int undoCount() {
    return undoCount;
  }
}
