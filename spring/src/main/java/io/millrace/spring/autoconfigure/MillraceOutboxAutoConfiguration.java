package io.millrace.spring.autoconfigure;

import io.millrace.api.JobQueues;
import io.millrace.outbox.jdbc.JdbcOutbox;
import io.millrace.outbox.jdbc.OutboxRelay;
import io.millrace.spring.autoconfigure.MillraceProperties.OutboxProperties;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/**
 * The outbox in the application's database and its relay, if they are asked for. The relay needs
 * the engine, so that it is closed before that.
 */
@AutoConfiguration(after = MillraceAutoConfiguration.class)
@ConditionalOnProperty("millrace.outbox.enabled")
public final class MillraceOutboxAutoConfiguration {

  private static final String ENABLED = "millrace.outbox.enabled";

  /** The answer where the artifact is missing, before any bean is made. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnMissingClass("io.millrace.outbox.jdbc.JdbcOutbox")
  static class Missing {

    @Bean
    static BeanFactoryPostProcessor millraceOutboxMissing() {
      return beans -> {
        throw new ConfigurationFault(
            ENABLED + " is true, and the outbox is not on the class path",
            "Add the dependency io.millrace:millrace-outbox-jdbc, or set " + ENABLED + " to false");
      };
    }
  }

  /** The outbox and its relay. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(JdbcOutbox.class)
  static class Relayed {

    @Bean
    @ConditionalOnMissingBean
    @DependsOnDatabaseInitialization // migrations refuse a database that has tables before them
    JdbcOutbox millraceOutbox(ObjectProvider<DataSource> dataSources, MillraceProperties all) {
      OutboxProperties properties = all.outbox();
      @Nullable DataSource dataSource = dataSources.getIfUnique();
      if (dataSource == null) {
        throw new ConfigurationFault(
            ENABLED + " is true, and there is no DataSource, or which of several is not clear",
            "Configure one, or mark one as primary, or declare a bean of type JdbcOutbox");
      }
      JdbcOutbox outbox =
          JdbcOutbox.on(dataSource).table(properties.table()).named(properties.name());
      if (properties.createTable()) {
        createTable(dataSource, outbox);
      }
      return outbox;
    }

    private static void createTable(DataSource dataSource, JdbcOutbox outbox) {
      try (Connection connection = dataSource.getConnection()) {
        outbox.createTable(connection);
        if (!connection.getAutoCommit()) {
          connection.commit(); // a pool takes back what its caller has not committed
        }
      } catch (SQLException e) {
        throw new ConfigurationFault(
            "the table of the outbox cannot be made: " + e.getMessage(),
            "Let the user of the data source make tables, or make it by a migration with the text"
                + " of JdbcOutbox.ddl, and set millrace.outbox.create-table to false",
            e);
      }
    }

    @Bean(destroyMethod = "close")
    @Lazy(false) // nobody asks for it
    @ConditionalOnMissingBean
    OutboxRelay millraceOutboxRelay(JdbcOutbox outbox, JobQueues queues) {
      return outbox.relay(queues);
    }
  }
}
