package io.millrace.internal.state;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.agrona.collections.MutableInteger;
import org.jspecify.annotations.Nullable;

/**
 * The rings of tenants of the names across whose tenants somebody claims. Most engines have none.
 */
public final class TenantRings {

  private final UndoLog undoLog;
  private final SharedSettings.OfAll sharedSettings;
  private final Map<String, TenantRing> byName = new HashMap<>(0);

  /** The number of tenants in all rings. Each ring counts its own here. */
  private final MutableInteger turnCount = new MutableInteger();

  /** The number of turns that names had in claims of several names. */
  private long nameTurnCount;

  private int undoCount;

  TenantRings(UndoLog undoLog, SharedSettings.OfAll sharedSettings) {
    this.undoLog = undoLog;
    this.sharedSettings = sharedSettings;
  }

  /** Returns the ring of the name, or null if nobody claims across its tenants. */
  public @Nullable TenantRing find(String queueName) {
    return byName.isEmpty() ? null : byName.get(queueName);
  }

  /** Returns the ring of the name for a claim across its tenants; creates it if there is none. */
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

  /** Notes that a claim of several names has taken a job of this name. */
  public void noteNameTurn(TenantRing ring) {
    ring.setTurn(++nameTurnCount);
  }

  /** Shows the ring to the queues of the name that are in memory. */
  private void show(String queueName, @Nullable TenantRing ring) {
    SharedSettings shared = sharedSettings.find(queueName);
    if (shared != null) {
      shared.setTenants(ring);
    }
  }

  /** Drops rings that nobody has used since the given time and no claim waits for. */
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

  /**
   * Forgets all rings, since the store may have been another owner's meanwhile. No claim may wait.
   */
  public void forget() {
    byName.keySet().forEach(queueName -> show(queueName, null));
    byName.values().forEach(TenantRing::forget);
    byName.clear();
  }

  /** Returns across the tenants of how many names somebody claims. */
  public int size() {
    return byName.size();
  }

  /** Returns how many tenants are in all rings. */
  public int turnCount() {
    return turnCount.value;
  }

  /** Counts a batch that never happened: what was found in it may no longer be so. */
  void undoBatch() {
    undoCount++;
  }

  /** Returns how many batches never happened. */
  public int undoCount() {
    return undoCount;
  }
}
