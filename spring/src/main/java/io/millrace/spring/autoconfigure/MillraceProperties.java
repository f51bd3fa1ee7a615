package io.millrace.spring.autoconfigure;

import io.millrace.api.Durability;
import io.millrace.api.QueueSettings.Expiry;
import io.millrace.api.QueueSettings.KeyOrder;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties that begin with {@code millrace}. META-INF/spring-configuration-metadata.json
 * describes each for editors.
 *
 * @param location the store, such as {@code lmdb:./data/jobs}
 * @param name the engine's name in tools and metrics
 * @param awaitLock how long to wait for a store that another process holds
 */
@ConfigurationProperties("millrace")
record MillraceProperties(
    @Nullable String location,
    @Nullable String name,
    @DefaultValue("synced") Durability durability,
    @DefaultValue("0s") Duration awaitLock,
    @DefaultValue WorkerProperties worker,
    @DefaultValue ScheduleProperties schedules,
    @DefaultValue ConsoleProperties console,
    @DefaultValue OutboxProperties outbox,
    @DefaultValue Map<String, QueueProperties> queues) {

  /**
   * The properties of the worker.
   *
   * @param concurrency the weight of jobs that run at a time; twice the processors unless set
   * @param virtualThreads as {@code spring.threads.virtual.enabled} unless set
   */
  record WorkerProperties(
      @DefaultValue("true") boolean enabled,
      @Nullable String name,
      @Nullable Integer concurrency,
      @Nullable Boolean virtualThreads,
      @DefaultValue("30s") Duration stopGrace,
      @DefaultValue("false") boolean allTenants) {}

  /**
   * The properties of schedules.
   *
   * @param owner the name of the application unless set
   */
  record ScheduleProperties(@Nullable String owner) {}

  /**
   * The properties of the console in the application's own server.
   *
   * @param path the path that it is below, within that of the application
   * @param role the authority of those who may change things
   * @param readRole the authority of those who may look
   * @param token in place of roles
   */
  record ConsoleProperties(
      @DefaultValue("false") boolean enabled,
      @DefaultValue("/millrace") String path,
      @Nullable String role,
      @Nullable String readRole,
      @Nullable String token,
      @Nullable String readToken) {}

  /**
   * The properties of the outbox in the application's database.
   *
   * @param name which one of its table
   * @param table the name of its table
   * @param createTable whether the start makes the table where it is missing
   */
  record OutboxProperties(
      @DefaultValue("false") boolean enabled,
      @DefaultValue("default") String name,
      @DefaultValue("millrace_outbox") String table,
      @DefaultValue("false") boolean createTable) {}

  /**
   * The settings of a queue. What is null stays as it is stored.
   *
   * @param rate starts of the queue's jobs, such as {@code 100/s burst 20}
   * @param ratePerKey the same of the jobs of each concurrency key
   */
  record QueueProperties(
      @Nullable Integer perKey,
      @Nullable KeyOrder keyOrder,
      @Nullable String rate,
      @Nullable String ratePerKey,
      @Nullable Duration leaseDuration,
      @Nullable Expiry expiry,
      @Nullable Long depthMax,
      @DefaultValue RetryProperties retry,
      @Nullable Duration resultRetention,
      @Nullable Duration deadRetention) {}

  /**
   * The attempts of the jobs of a queue.
   *
   * @param backoff such as {@code exponential initial=PT1S multiplier=2 max=PT1H jitter=0.2}
   */
  record RetryProperties(@Nullable Integer maxAttempts, @Nullable String backoff) {}
}
