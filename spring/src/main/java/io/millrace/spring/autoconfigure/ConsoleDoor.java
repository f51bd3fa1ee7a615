package io.millrace.spring.autoconfigure;

import io.millrace.console.ConsoleSetup;
import io.millrace.console.hook.AccessCheck;
import io.millrace.spring.autoconfigure.MillraceProperties.ConsoleProperties;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way into the console: the application's own check, or roles, or a token.
 *
 * @param check the check in place of tokens; empty if there are tokens
 * @param token the token of who may change things; not used if there is a check
 * @param surroundings the part of the application's security
 */
record ConsoleDoor(Optional<AccessCheck> check, String token, ConsoleSurroundings surroundings) {

  private static final Logger LOG = LoggerFactory.getLogger(ConsoleDoor.class);
  private static final String ROLE = "millrace.console.role";
  private static final String TOKEN = "millrace.console.token";
  private static final int TOKEN_BYTES = 32;

  /**
   * Chooses the way in that properties and beans say.
   *
   * @throws ConfigurationFault they say two, or none although the application has its own security
   */
  static ConsoleDoor of(
      ConsoleProperties properties,
      Optional<AccessCheck> check,
      Optional<ConsoleSecurity> security) {
    checkWords(properties, check);
    if (check.isPresent()) {
      return new ConsoleDoor(check, "", carrying(security));
    }
    if (properties.role() != null) {
      ConsoleSecurity known = security.orElseThrow(ConsoleDoor::nobodyKnowsRoles);
      return new ConsoleDoor(
          Optional.of(known.byRoles(properties.role(), properties.readRole())), "", known);
    }
    if (properties.token() == null && security.isPresent()) {
      throw new ConfigurationFault(
          "millrace.console.enabled is true, and nothing says who may use the console",
          "Set "
              + ROLE
              + " to the authority that may, such as OPS for those with ROLE_OPS; or "
              + TOKEN
              + " to a secret of 16 characters or more, which the console then asks for, too");
    }
    return new ConsoleDoor(
        Optional.empty(),
        properties.token() == null ? newToken(properties.path()) : properties.token(),
        carrying(security));
  }

  /**
   * Makes the console let in by this way.
   *
   * @throws ConfigurationFault a token is too short
   */
  void addTo(ConsoleSetup setup, ConsoleProperties properties) {
    if (check.isPresent()) {
      setup.access(check.get());
      return;
    }
    try {
      setup.token(token);
      Optional.ofNullable(properties.readToken()).ifPresent(setup::readToken);
    } catch (IllegalArgumentException e) {
      throw new ConfigurationFault(
          "a token of the console is wrong: " + e.getMessage(),
          "Set " + TOKEN + " and millrace.console.read-token to texts that nobody guesses",
          e);
    }
  }

  private static void checkWords(ConsoleProperties properties, Optional<AccessCheck> check) {
    boolean hasTokens = properties.token() != null || properties.readToken() != null;
    boolean hasRoles = properties.role() != null || properties.readRole() != null;
    if (hasTokens && hasRoles || check.isPresent() && (hasTokens || hasRoles)) {
      throw new ConfigurationFault(
          "there are two ways into the console, where one counts",
          "Leave one: roles (" + ROLE + "), tokens (" + TOKEN + "), or a bean of AccessCheck");
    }
    if (properties.role() == null && properties.readRole() != null) {
      throw new ConfigurationFault(
          "millrace.console.read-role is set without " + ROLE,
          "Set " + ROLE + " to the authority of those who may change things");
    }
  }

  private static ConfigurationFault nobodyKnowsRoles() {
    return new ConfigurationFault(
        ROLE + " is set, and there is no Spring Security that knows who has it",
        "Add Spring Security to the application; or set "
            + TOKEN
            + " in place of the role, or a bean of type io.millrace.console.hook.AccessCheck");
  }

  /** Leaves the login to the console. What runs on other threads knows who asks all the same. */
  private static ConsoleSurroundings carrying(Optional<ConsoleSecurity> security) {
    return security
        .<ConsoleSurroundings>map(
            known ->
                new ConsoleSurroundings() {
                  @Override
                  public void enter() {
                    // The console asks by itself.
                  }

                  @Override
                  public Runnable carried(Runnable work) {
                    return known.carried(work);
                  }
                })
        .orElse(ConsoleSurroundings.NONE);
  }

  private static String newToken(String path) {
    byte[] bytes = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(bytes);
    String token = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    LOG.warn(
        "console has a token for this run: path={}/?token={}; set {} for one that stays",
        path,
        token,
        TOKEN);
    return token;
  }
}
