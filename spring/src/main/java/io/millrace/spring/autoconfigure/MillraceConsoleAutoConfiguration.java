package io.millrace.spring.autoconfigure;

import io.millrace.api.JobQueues;
import io.millrace.console.Console;
import io.millrace.console.ConsoleSetup;
import io.millrace.console.hook.AccessCheck;
import io.millrace.engine.JobEngine;
import io.millrace.spring.ConsoleCustomizer;
import io.millrace.spring.autoconfigure.MillraceProperties.ConsoleProperties;
import io.millrace.worker.Worker;
import jakarta.servlet.http.HttpServlet;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnNotWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.security.access.hierarchicalroles.RoleHierarchy;
import org.springframework.security.web.csrf.CsrfFilter;

/**
 * The console below a path of the application's own server, if that is asked for. With Spring
 * Security the application's own chains say how one logs in; this adds none, for Spring Boot's own
 * chain, which closes all paths, would step aside for it.
 */
@AutoConfiguration(
    after = MillraceAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration",
      "org.springframework.boot.security.autoconfigure.web.servlet"
          + ".ServletWebSecurityAutoConfiguration"
    })
@ConditionalOnProperty("millrace.console.enabled")
public final class MillraceConsoleAutoConfiguration {

  private static final String ENABLED = "millrace.console.enabled";
  private static final String CONSOLE = "io.millrace.console.Console";

  /** Tells what is missing before any bean is made. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnMissingClass(CONSOLE)
  static class Missing {

    @Bean
    static BeanFactoryPostProcessor millraceConsoleMissing() {
      return beans -> {
        throw new ConfigurationFault(
            ENABLED + " is true, and the console is not on the class path",
            "Add the dependency io.millrace:millrace-console, or set " + ENABLED + " to false");
      };
    }
  }

  /** Tells that a reactive server has no place for it. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
  static class Reactive {

    @Bean
    static BeanFactoryPostProcessor millraceConsoleNeedsServlets() {
      return beans -> {
        throw new ConfigurationFault(
            ENABLED + " is true, and the application's server takes no servlets (WebFlux)",
            "Set "
                + ENABLED
                + " to false, and start a console with a port of its own:"
                + " Console.on(engine).port(7070).start()");
      };
    }
  }

  /** Tells that there is no server: commands and tests have the properties of the application. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnNotWebApplication
  static class WithoutServer {

    private static final Logger LOG = LoggerFactory.getLogger(WithoutServer.class);

    @Bean
    static BeanFactoryPostProcessor millraceConsoleWithoutServer() {
      return beans -> LOG.info("console is not shown: {}=true, server=none", ENABLED);
    }
  }

  /** The part that knows Spring Security, if the application has chains of filters. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
  @ConditionalOnClass({Console.class, HttpServlet.class, CsrfFilter.class})
  @ConditionalOnBean(name = "springSecurityFilterChain")
  static class Secured {

    @Bean
    ConsoleSecurity millraceConsoleSecurity(ObjectProvider<RoleHierarchy> hierarchy) {
      return new SpringConsoleSecurity(Optional.ofNullable(hierarchy.getIfUnique()));
    }

    @Bean
    FilterRegistrationBean<ConsoleCsrfFilter> millraceConsoleCsrfFilter(
        MillraceProperties properties) {
      FilterRegistrationBean<ConsoleCsrfFilter> filter =
          new FilterRegistrationBean<>(new ConsoleCsrfFilter());
      filter.addUrlPatterns(pattern(properties.console()));
      filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
      return filter;
    }
  }

  /** The console and its servlet. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
  @ConditionalOnClass({Console.class, HttpServlet.class})
  static class Served {

    @Bean
    ConsoleDoor millraceConsoleDoor(
        MillraceProperties properties,
        ObjectProvider<AccessCheck> check,
        ObjectProvider<ConsoleSecurity> security) {
      return ConsoleDoor.of(
          properties.console(),
          Optional.ofNullable(check.getIfAvailable()),
          Optional.ofNullable(security.getIfAvailable()));
    }

    @Bean
    ConsoleLife millraceConsole(
        MillraceProperties properties,
        Environment environment,
        ConsoleDoor door,
        Shown shown,
        ObjectProvider<ConsoleCustomizer> customizers) {
      String name =
          Objects.requireNonNullElseGet(
              properties.name(),
              () -> environment.getProperty("spring.application.name", "Millrace"));
      return new ConsoleLife(
          () -> {
            ConsoleSetup setup = shown.setup().name(name).host("*");
            door.addTo(setup, properties.console());
            customizers.orderedStream().forEach(each -> each.customize(setup));
            return setup;
          });
    }

    @Bean
    Shown millraceConsoleShown(
        JobQueues queues, ObjectProvider<JobEngine> engine, ObjectProvider<Worker> workers) {
      return new Shown(queues, engine, workers);
    }

    @Bean
    ServletRegistrationBean<ConsoleServlet> millraceConsoleServlet(
        ConsoleLife console, ConsoleDoor door, MillraceProperties properties) {
      ServletRegistrationBean<ConsoleServlet> servlet =
          new ServletRegistrationBean<>(
              new ConsoleServlet(console, door.surroundings()), pattern(properties.console()));
      servlet.setName(ConsoleServlet.NAME);
      return servlet;
    }
  }

  /** The queues and workers that the console shows. */
  record Shown(JobQueues queues, ObjectProvider<JobEngine> engine, ObjectProvider<Worker> workers) {

    ConsoleSetup setup() {
      JobEngine running = engine.getIfUnique();
      ConsoleSetup setup = running == null ? Console.on(queues) : Console.on(running);
      workers.forEach(setup::worker);
      return setup;
    }
  }

  /** Returns what the container finds the servlet by. */
  private static String pattern(ConsoleProperties properties) {
    String path = properties.path();
    if (!path.matches("(/[\\w~-][\\w.~-]*)+")) {
      throw new ConfigurationFault(
          "millrace.console.path is no path below that of the application: value=" + path,
          "Set it to one that begins with a slash and does not end with one, such as /millrace");
    }
    return path + "/*";
  }
}
