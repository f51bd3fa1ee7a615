package io.millrace.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Turns among the tenants of a name, in plain lines: a list of those that have something to be
 * served, in the order in which they came to have it.
 */
public final class ModelTurns {

  private static final Comparator<Item> SERVING =
      Comparator.comparingInt((Item item) -> -item.priority).thenComparingInt(item -> item.number);

  private final Map<String, List<Item>> ready = new TreeMap<>();
  private final Map<String, Integer> shares = new HashMap<>();
  private final Set<String> paused = new HashSet<>();
  private final Set<String> leasedQueues = new HashSet<>();
  private final Map<String, Integer> served = new HashMap<>();
  private List<String> ring = new ArrayList<>();
  private boolean isKnown;
  private int nextNumber;

  /** A job, which keeps its place for life. */
  public record Item(String tenant, int number, int priority, int weight) {}

  public Item enqueue(String tenant, int priority, int weight) {
    Item item = new Item(tenant, nextNumber++, priority, weight);
    change(tenant, () -> ready(tenant).add(item));
    return item;
  }

  /** It is no longer leased. */
  public void giveBack(Item item) {
    change(item.tenant, () -> ready(item.tenant).add(item));
  }

  public void setPaused(String tenant, boolean isPaused) {
    change(tenant, () -> set(paused, tenant, isPaused));
  }

  public void setLeased(String tenant, boolean isLeased) {
    change(tenant, () -> set(leasedQueues, tenant, isLeased));
  }

  public boolean isLeased(String tenant) {
    return leasedQueues.contains(tenant);
  }

  public void setShare(String tenant, int share) {
    shares.put(tenant, share);
  }

  public void delete(String tenant) {
    change(
        tenant,
        () -> {
          ready.remove(tenant);
          paused.remove(tenant);
          shares.remove(tenant);
        });
  }

  /** Nobody knows whose turn it was; leases on queues are void. */
  public void restart() {
    leasedQueues.clear();
    ring.clear();
    served.clear();
    isKnown = false;
  }

  /** The next jobs, one tenant after the other. */
  public List<Item> claim(int max, int capacity) {
    if (!isKnown) {
      ring = new ArrayList<>(ready.keySet().stream().filter(this::isActive).toList());
      isKnown = true;
    }
    List<Item> taken = new ArrayList<>();
    while (taken.size() < max) {
      Optional<Item> next =
          ring.stream().flatMap(tenant -> first(tenant, capacity).stream()).findFirst();
      if (next.isEmpty()) {
        break;
      }
      Item item = next.get();
      taken.add(item);
      endTurn(item.tenant);
      take(item);
    }
    return taken;
  }

  private void endTurn(String tenant) {
    if (served.merge(tenant, 1, Integer::sum) >= shares.getOrDefault(tenant, 1)) {
      served.remove(tenant);
      ring.remove(tenant);
      ring.add(tenant);
    }
  }

  /** The next job of the tenant, for somebody who asks for this tenant alone. */
  public Optional<Item> claim(String tenant) {
    Optional<Item> item = isActive(tenant) ? first(tenant, Integer.MAX_VALUE) : Optional.empty();
    item.ifPresent(this::take);
    return item;
  }

  /** Whether some job is there for a claim. */
  public boolean hasAny(int capacity) {
    return ready.keySet().stream()
        .anyMatch(tenant -> isActive(tenant) && first(tenant, capacity).isPresent());
  }

  private Optional<Item> first(String tenant, int capacity) {
    return ready(tenant).stream().filter(item -> item.weight <= capacity).min(SERVING);
  }

  private void take(Item item) {
    change(item.tenant, () -> ready(item.tenant).remove(item));
  }

  private List<Item> ready(String tenant) {
    return ready.computeIfAbsent(tenant, name -> new ArrayList<>());
  }

  private boolean isActive(String tenant) {
    return ready.containsKey(tenant)
        && !ready(tenant).isEmpty()
        && !paused.contains(tenant)
        && !leasedQueues.contains(tenant);
  }

  /** Who comes to have something goes to the tail; who has nothing is not there. */
  private void change(String tenant, Runnable what) {
    boolean wasActive = isActive(tenant);
    what.run();
    if (!isActive(tenant)) {
      ring.remove(tenant);
      served.remove(tenant);
    } else if (!wasActive && isKnown) {
      ring.add(tenant);
    }
  }

  private static void set(Set<String> names, String name, boolean isIn) {
    if (isIn) {
      names.add(name);
    } else {
      names.remove(name);
    }
  }
}
