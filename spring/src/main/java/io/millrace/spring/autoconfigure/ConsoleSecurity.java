package io.millrace.spring.autoconfigure;

import io.millrace.console.hook.AccessCheck;
import org.jspecify.annotations.Nullable;

/** The security of an application, which knows who asks and what that visitor may do. */
interface ConsoleSecurity extends ConsoleSurroundings {

  /**
   * Returns a check by the visitor's authorities.
   *
   * @param role the authority of those who may change things
   * @param readRole the authority of those who may look; null for none
   */
  AccessCheck byRoles(String role, @Nullable String readRole);
}
