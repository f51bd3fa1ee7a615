package io.millrace.server;

import io.millrace.api.Limits;
import io.millrace.api.QueueName;
import io.millrace.options.Checks;
import java.util.Set;

/**
 * A pattern of queues that a token is for: {@code mail} is the queue of that name, {@code
 * mail@acme} the one of the tenant, and a star at the end of a name or a tenant stands for whatever
 * follows. A name that has such characters itself is reached by what stands before them.
 *
 * @param isNamePrefix whether names may go on after this one
 * @param isTenantPrefix whether tenants may go on after this one
 */
record QueuePattern(String name, boolean isNamePrefix, String tenant, boolean isTenantPrefix) {

  private static final String STAR = "*";
  private static final char AT = '@';

  /**
   * Makes the pattern of its text.
   *
   * @throws IllegalArgumentException the text is none
   */
  static QueuePattern of(String text) {
    Checks.text("queues of a token", text, 1, 2 * Limits.NAME_BYTES_MAX + 3);
    int at = text.indexOf(AT);
    String name = at < 0 ? text : text.substring(0, at);
    String tenant = at < 0 ? "" : text.substring(at + 1);
    QueuePattern pattern =
        new QueuePattern(
            withoutStar(name), name.endsWith(STAR), withoutStar(tenant), tenant.endsWith(STAR));
    if (name.isEmpty() || at >= 0 && tenant.isEmpty() || pattern.hasSign()) {
      throw new IllegalArgumentException(
          "no queues of a token: value=\""
              + text
              + "\", expected NAME or NAME@TENANT, with a star at the end of one for any that"
              + " begins so");
    }
    return pattern;
  }

  private static String withoutStar(String text) {
    return text.endsWith(STAR) ? text.substring(0, text.length() - 1) : text;
  }

  private boolean hasSign() {
    return name.contains(STAR) || tenant.contains(STAR) || tenant.indexOf(AT) >= 0;
  }

  /** Tells whether any of the patterns matches the queue. */
  static boolean matches(Set<QueuePattern> any, QueueName queue) {
    return any.stream().anyMatch(each -> each.matches(queue));
  }

  boolean matches(QueueName queue) {
    return matchesName(queue.name())
        && (isTenantPrefix ? queue.tenant().startsWith(tenant) : queue.tenant().equals(tenant));
  }

  /** Tells whether the queues of this name are meant whoever their tenants are. */
  boolean matchesAllTenants(String queueName) {
    return isTenantPrefix && tenant.isEmpty() && matchesName(queueName);
  }

  private boolean matchesName(String queueName) {
    return isNamePrefix ? queueName.startsWith(name) : queueName.equals(name);
  }

  /** Returns the text. */
  @Override
  public String toString() {
    String names = name + (isNamePrefix ? STAR : "");
    String tenants = tenant + (isTenantPrefix ? STAR : "");
    return tenants.isEmpty() ? names : names + AT + tenants;
  }
}
