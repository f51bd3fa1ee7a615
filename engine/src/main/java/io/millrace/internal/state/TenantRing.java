package io.millrace.internal.state;

import io.millrace.api.QueueName;
import java.util.Collections;
import java.util.Comparator;
import java.util.Set;
import java.util.TreeSet;
import org.agrona.collections.MutableInteger;
import org.agrona.collections.Object2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The tenants of one name in the order of their turns: the first is the next to be served. Kept
 * while somebody claims across the tenants of the name.
 *
 * <p>Every tenant that has ready jobs and is neither paused nor leased as a whole, nor waits for a
 * token of a rate limit ({@link RateTable#isShut}), is in the ring, once all queues of the name
 * were walked over. Other tenants may be in it, too: whoever comes to them takes them out. A tenant
 * that has come to have something to be served goes to the tail, whether it was still in the ring
 * or not, so that taking others out late makes no difference to anybody.
 *
 * <p>Places rise from the first to the last. Every change is noted in the undo log and taken back
 * with the batch, down to the order from before: only the queues can be read from the store again,
 * not whose turn it was. A walk over the queues is not taken back but begun anew.
 */
public final class TenantRing {

  private final String queueName;
  private final UndoLog undoLog;

  /** The number of tenants in all rings. */
  private final MutableInteger turnCount;

  private final Object2ObjectHashMap<QueueName, Tenant> byQueue = new Object2ObjectHashMap<>();
  private final Set<ParkedClaim> parkedClaims =
      new TreeSet<>(Comparator.comparingLong(ParkedClaim::arrival));

  /** The sentinel before the first tenant and behind the last. */
  private final Tenant ends;

  private long lastPlace;

  /** The key at which the walk over the queues goes on; null at its start. */
  private byte @Nullable [] walkFrom;

  private boolean isWhole;

  /**
   * The number of times that the walk was begun anew: what was noted before the last is not taken
   * back.
   */
  private int restartCount;

  private long usedAtNs;
  private long lastClaimMs;

  /** The number of the last turn that the name had in claims of several names; 0 for none. */
  private long turn;

  TenantRing(String queueName, UndoLog undoLog, MutableInteger turnCount) {
    this.queueName = queueName;
    this.undoLog = undoLog;
    this.turnCount = turnCount;
    this.ends = new Tenant(QueueName.of(queueName));
    ends.previous = ends;
    ends.next = ends;
  }

  /** A tenant in the ring. */
  public static final class Tenant {
    private final QueueName queue;
    private Tenant previous;
    private Tenant next;
    private long place;
    private int served;

    private Tenant(QueueName queue) {
      this.queue = queue;
      this.previous = this;
      this.next = this;
    }

    public QueueName queue() {
      return queue;
    }

    /** Returns its place: lower than that of all behind it, higher than 0. */
    public long place() {
      return place;
    }
  }

  public String queueName() {
    return queueName;
  }

  /** Returns how many tenants are in the ring. */
  public int size() {
    return byQueue.size();
  }

  /** Returns the first tenant, or null. */
  public @Nullable Tenant first() {
    return next(ends);
  }

  /** Returns the tenant behind the given one, or null. */
  public @Nullable Tenant next(Tenant tenant) {
    return tenant.next == ends ? null : tenant.next;
  }

  /** Returns the first tenant whose place is behind this one, or null. */
  public @Nullable Tenant firstBehind(long place) {
    if (place <= 0) {
      return first();
    }
    Tenant tenant = ends;
    while (tenant.previous != ends && tenant.previous.place > place) {
      tenant = tenant.previous;
    }
    return tenant == ends ? null : tenant;
  }

  public @Nullable Tenant find(QueueName queue) {
    return byQueue.get(queue);
  }

  /**
   * Moves the queue to the tail, since it has come to have something to be served: its turn comes
   * after those of all in the ring.
   */
  public void enter(QueueName queue) {
    Tenant known = find(queue);
    if (known == null) {
      add(queue);
    } else {
      moveToTail(known);
    }
  }

  /**
   * Adds the queue, which may have something to be served, unless it is in the ring: then it keeps
   * its place.
   */
  public void keep(QueueName queue) {
    if (find(queue) == null) {
      add(queue);
    }
  }

  private void add(QueueName queue) {
    Tenant tenant = new Tenant(queue);
    note(
        () -> {
          unlink(tenant);
          remove(tenant);
        });
    put(tenant);
    linkLast(tenant);
  }

  /** Removes the tenant, which has nothing to be served. */
  public void leave(Tenant tenant) {
    Tenant previous = tenant.previous;
    note(
        () -> {
          put(tenant);
          link(tenant, previous);
        });
    remove(tenant);
    unlink(tenant);
  }

  private void put(Tenant tenant) {
    byQueue.put(tenant.queue, tenant);
    turnCount.value++;
  }

  private void remove(Tenant tenant) {
    byQueue.remove(tenant.queue);
    turnCount.value--;
  }

  /**
   * Counts a job of the tenant that was served in its turn. With the last job of the turn the
   * tenant goes to the tail.
   *
   * @param share how many jobs are one turn of the tenant
   */
  public void served(Tenant tenant, int share) {
    if (tenant.served + 1 >= share) {
      moveToTail(tenant);
      return;
    }
    note(() -> tenant.served--);
    tenant.served++;
  }

  private void moveToTail(Tenant tenant) {
    Tenant previous = tenant.previous;
    long place = tenant.place;
    int served = tenant.served;
    note(
        () -> {
          unlink(tenant);
          tenant.place = place;
          tenant.served = served;
          link(tenant, previous);
        });
    unlink(tenant);
    tenant.served = 0;
    linkLast(tenant);
  }

  private void note(Runnable undo) {
    int restarts = restartCount;
    undoLog.add(
        () -> {
          if (restarts == restartCount) {
            undo.run();
          }
        });
  }

  private void linkLast(Tenant tenant) {
    tenant.place = ++lastPlace;
    link(tenant, ends.previous);
  }

  private static void link(Tenant tenant, Tenant previous) {
    tenant.previous = previous;
    tenant.next = previous.next;
    previous.next.previous = tenant;
    previous.next = tenant;
  }

  private static void unlink(Tenant tenant) {
    tenant.previous.next = tenant.next;
    tenant.next.previous = tenant.previous;
  }

  /** Tells whether all queues of the name were walked over. Until then tenants may be missing. */
  public boolean isWhole() {
    return isWhole;
  }

  /** Returns the key at which the walk over the queues goes on; null at its start. */
  public byte @Nullable [] walkFrom() {
    return walkFrom;
  }

  /**
   * Notes how far the walk over the queues has come.
   *
   * @param next where it goes on; null at its end
   */
  public void walked(byte @Nullable [] next) {
    note(this::restart);
    walkFrom = next;
    isWhole = next == null;
  }

  private void restart() {
    restartCount++;
    turnCount.value -= byQueue.size();
    byQueue.clear();
    ends.previous = ends;
    ends.next = ends;
    walkFrom = null;
    isWhole = false;
  }

  /** Empties a ring that nobody uses any more. Nothing of it is taken back either. */
  void forget() {
    restart();
  }

  /**
   * Returns the number of the last turn that the name had in claims of several names; 0 for none.
   */
  public long turn() {
    return turn;
  }

  void setTurn(long value) {
    long before = turn;
    note(() -> turn = before);
    turn = value;
  }

  /** Returns the claims that wait for a job of any tenant, the longest-waiting first. */
  public Set<ParkedClaim> parkedClaims() {
    return Collections.unmodifiableSet(parkedClaims);
  }

  /** Notes that somebody claims across the tenants. */
  public void noteClaim(long nowMs) {
    lastClaimMs = nowMs;
  }

  /**
   * Returns when somebody last claimed across the tenants, in engine time; 0 for never since the
   * ring exists.
   */
  public long lastClaimMs() {
    return lastClaimMs;
  }

  public boolean hasParked() {
    return !parkedClaims.isEmpty();
  }

  void park(ParkedClaim claim) {
    parkedClaims.add(claim);
  }

  void unpark(ParkedClaim claim) {
    parkedClaims.remove(claim);
  }

  /** Notes that the ring is used now, since somebody claims across the tenants. */
  public void noteUse(long nowNs) {
    usedAtNs = nowNs;
  }

  boolean isUnusedSince(long ns) {
    return parkedClaims.isEmpty() && usedAtNs - ns <= 0;
  }
}
