package io.millrace.api;

import io.millrace.options.Checks;

/**
 * A queue's name: the name of the line of work, and the tenant whose line it is. Both may contain
 * any characters.
 *
 * @param name 1 to {@value Limits#NAME_BYTES_MAX} bytes of UTF-8
 * @param tenant 0 to {@value Limits#NAME_BYTES_MAX} bytes of UTF-8; the empty one is the default
 *     tenant
 */
public record QueueName(String name, String tenant) implements Comparable<QueueName> {

  /**
   * Creates a name.
   *
   * @throws IllegalArgumentException a text is out of its range, or is not valid Unicode
   */
  public QueueName {
    Checks.text("name", name, 1, Limits.NAME_BYTES_MAX);
    Checks.text("tenant", tenant, 0, Limits.NAME_BYTES_MAX);
  }

  /**
   * Returns the name of a queue that belongs to the default tenant.
   *
   * @throws IllegalArgumentException the text has not 1 to {@value Limits#NAME_BYTES_MAX} bytes of
   *     UTF-8, or is not valid Unicode
   */
  public static QueueName of(String name) {
    return new QueueName(name, "");
  }

  @Override
  public int compareTo(QueueName other) {
    int byName = name.compareTo(other.name);
    return byName != 0 ? byName : tenant.compareTo(other.tenant);
  }

  /**
   * Returns the name, followed by {@code @} and the tenant if it is not the default one. For
   * people; it cannot be parsed.
   */
  @Override
  public String toString() {
    return tenant.isEmpty() ? name : name + "@" + tenant;
  }
}
