package io.millrace.spring.contract;

import io.millrace.spring.ConsoleCustomizer;
import jakarta.servlet.Filter;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.access.hierarchicalroles.RoleHierarchy;
import org.springframework.security.access.hierarchicalroles.RoleHierarchyImpl;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.WebSecurityCustomizer;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.ForwardedHeaderFilter;

/** A shop with a chain of filters of its own, and a filter that reads forms before all others. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class ShopApplication {

  @Bean
  SecurityFilterChain shopChain(HttpSecurity http) throws Exception {
    return http.authorizeHttpRequests(
            paths ->
                paths
                    .requestMatchers("/error", "/open/**", "/millrace/keys")
                    .permitAll()
                    .anyRequest()
                    .authenticated())
        .httpBasic(Customizer.withDefaults())
        .build();
  }

  /** Takes a page of the console out of all chains, by mistake. */
  @Bean
  WebSecurityCustomizer forgotten() {
    return web -> web.ignoring().requestMatchers("/millrace/tables");
  }

  /**
   * Returns ada, who operates; root, whose role includes that; sue of the staff; and eve, a
   * customer.
   */
  @Bean
  UserDetailsService shopUsers() {
    return new InMemoryUserDetailsManager(
        user("ada", "OPS"), user("root", "ADMIN"), user("sue", "STAFF"), user("eve", "CUSTOMER"));
  }

  private static UserDetails user(String name, String role) {
    return User.withUsername(name).password("{noop}" + name).roles(role).build();
  }

  @Bean
  RoleHierarchy shopRoles() {
    return RoleHierarchyImpl.fromHierarchy("ROLE_ADMIN > ROLE_OPS");
  }

  @Bean
  FilterRegistrationBean<Filter> readingFilter() {
    FilterRegistrationBean<Filter> filter =
        new FilterRegistrationBean<>(
            (request, response, chain) -> {
              request.getParameter("any");
              chain.doFilter(request, response);
            });
    filter.setAsyncSupported(true);
    filter.setOrder(-1_000);
    return filter;
  }

  @Bean
  FilterRegistrationBean<ForwardedHeaderFilter> proxies() {
    FilterRegistrationBean<ForwardedHeaderFilter> filter =
        new FilterRegistrationBean<>(new ForwardedHeaderFilter());
    filter.setOrder(-2_000);
    return filter;
  }

  @Bean
  ConsoleCustomizer masked() {
    return setup -> setup.payloads((job, part, text) -> "masked");
  }

  /** The shop's own pages. */
  @RestController
  static class Pages {

    final AtomicInteger orders = new AtomicInteger();

    @GetMapping("/open/hello")
    String hello() {
      return "hello";
    }

    @GetMapping("/orders")
    String orders() {
      return "orders: " + orders;
    }

    @PostMapping({"/orders", "/open/orders"})
    String order() {
      return "orders: " + orders.incrementAndGet();
    }
  }
}
