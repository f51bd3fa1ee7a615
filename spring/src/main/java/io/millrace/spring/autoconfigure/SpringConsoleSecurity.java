package io.millrace.spring.autoconfigure;

import io.millrace.console.hook.AccessCheck;
import io.millrace.console.hook.Role;
import io.millrace.console.hook.Visitor;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.access.hierarchicalroles.RoleHierarchy;
import org.springframework.security.authentication.AuthenticationTrustResolver;
import org.springframework.security.authentication.AuthenticationTrustResolverImpl;
import org.springframework.security.authentication.InsufficientAuthenticationException;
import org.springframework.security.concurrent.DelegatingSecurityContextRunnable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * Spring Security around the console: how a visitor logs in is the application's own chain of
 * filters to say, and what the visitor may do is said by authorities.
 */
final class SpringConsoleSecurity implements ConsoleSecurity {

  /** The word in place of an authority that stands for everybody who is logged in. */
  static final String ANYBODY = "*";

  private static final Logger LOG = LoggerFactory.getLogger(SpringConsoleSecurity.class);
  private static final String PREFIX = "ROLE_";

  private final AuthenticationTrustResolver trust = new AuthenticationTrustResolverImpl();
  private final Optional<RoleHierarchy> hierarchy;
  private final AtomicBoolean isTold = new AtomicBoolean();

  SpringConsoleSecurity(Optional<RoleHierarchy> hierarchy) {
    this.hierarchy = hierarchy;
  }

  /**
   * Makes the chain ask for a login if nobody is logged in: it lets everybody through to paths that
   * the application has opened.
   */
  @Override
  public void enter() {
    if (trust.isAnonymous(SecurityContextHolder.getContext().getAuthentication())) {
      throw new InsufficientAuthenticationException("the console wants to know who asks");
    }
  }

  @Override
  public Runnable carried(Runnable work) {
    return new DelegatingSecurityContextRunnable(work);
  }

  @Override
  public AccessCheck byRoles(String role, @Nullable String readRole) {
    return request -> visitor(role, readRole);
  }

  private Optional<Visitor> visitor(String role, @Nullable String readRole) {
    @Nullable Authentication who = SecurityContextHolder.getContext().getAuthentication();
    if (who == null) {
      tellOnce();
      return Optional.empty();
    }
    if (!who.isAuthenticated() || trust.isAnonymous(who)) {
      return Optional.empty();
    }
    Set<String> authorities = authorities(who);
    if (has(authorities, role)) {
      return Optional.of(new Visitor(who.getName(), Role.OPERATE));
    }
    boolean mayRead = readRole != null && (readRole.equals(ANYBODY) || has(authorities, readRole));
    return mayRead ? Optional.of(new Visitor(who.getName(), Role.READ)) : Optional.empty();
  }

  private void tellOnce() {
    if (!isTold.getAndSet(true)) {
      LOG.warn(
          "nobody gets into the console: no SecurityFilterChain of the application is for its path,"
              + " so that it knows nobody there");
    }
  }

  private Set<String> authorities(Authentication who) {
    Collection<? extends GrantedAuthority> granted = who.getAuthorities();
    Collection<? extends GrantedAuthority> reached =
        hierarchy.isPresent() ? hierarchy.get().getReachableGrantedAuthorities(granted) : granted;
    return reached.stream()
        .map(GrantedAuthority::getAuthority)
        .filter(each -> each != null)
        .collect(Collectors.toSet());
  }

  private static boolean has(Set<String> authorities, String role) {
    return authorities.contains(role) || authorities.contains(PREFIX + role);
  }
}
