package io.millrace.internal.state;

import io.millrace.api.QueueSettings;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the queues of one name, and the ring of its tenants; kept as long as a queue of
 * the name is in memory.
 */
public final class SharedSettings {

  private final String name;
  private @Nullable QueueSettings settings;
  private @Nullable TenantRing tenants;
  private int queueCount;

  private SharedSettings(String name) {
    this.name = name;
  }

  /**
   * Returns the settings of the name; null if they were not read. A loaded queue always finds them
   * read.
   */
  public @Nullable QueueSettings settings() {
    return settings;
  }

  public void setSettings(@Nullable QueueSettings value) {
    settings = value;
  }

  /** Returns the ring of the tenants; null if nobody claims across them. */
  public @Nullable TenantRing tenants() {
    return tenants;
  }

  void setTenants(@Nullable TenantRing value) {
    tenants = value;
  }

  /** The shared settings of all names. */
  static final class OfAll {

    private final Map<String, SharedSettings> byName = new HashMap<>();

    /** Returns the settings of the name for a queue that comes into memory. */
    SharedSettings join(String name) {
      SharedSettings shared = byName.computeIfAbsent(name, SharedSettings::new);
      shared.queueCount++;
      return shared;
    }

    /** Lets a queue of the name leave memory; with the last queue its settings go. */
    void leave(SharedSettings shared) {
      shared.queueCount--;
      if (shared.queueCount == 0) {
        byName.remove(shared.name);
      }
    }

    /** Returns the settings of a name of which a queue is in memory, else null. */
    @Nullable SharedSettings find(String name) {
      return byName.get(name);
    }

    /** Forgets the settings, for the store is to be asked again. */
    void forget() {
      byName.values().forEach(shared -> shared.settings = null);
    }
  }
}
