package io.millrace.internal.state;

import io.millrace.api.QueueSettings;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is said for the queues of a name, and whose turn it is among its tenants: kept as long as a
 * queue of that name is in memory.
 */
public final class SharedSettings {

  private final String name;
  private @Nullable QueueSettings settings;
  private @Nullable TenantRing tenants;
  private int queueCount;

  private SharedSettings(String name) {
    this.name = name;
  }

  /** What is said; null if it has not been read. Whoever is in a loaded queue finds it read. */
  public @Nullable QueueSettings settings() {
    return settings;
  }

  public void setSettings(@Nullable QueueSettings value) {
    settings = value;
  }

  /** The ring of the tenants; null if nobody claims across them. */
  public @Nullable TenantRing tenants() {
    return tenants;
  }

  void setTenants(@Nullable TenantRing value) {
    tenants = value;
  }

  /** Those of all names. */
  static final class OfAll {

    private final Map<String, SharedSettings> byName = new HashMap<>();

    /** A queue of the name comes into memory. */
    SharedSettings join(String name) {
      SharedSettings shared = byName.computeIfAbsent(name, SharedSettings::new);
      shared.queueCount++;
      return shared;
    }

    /** A queue of the name leaves memory. */
    void leave(SharedSettings shared) {
      shared.queueCount--;
      if (shared.queueCount == 0) {
        byName.remove(shared.name);
      }
    }

    /** Of a name of which a queue is in memory; else null. */
    @Nullable SharedSettings find(String name) {
      return byName.get(name);
    }

    /** The store is to be asked again. */
    void forget() {
      byName.values().forEach(shared -> shared.settings = null);
    }
  }
}
