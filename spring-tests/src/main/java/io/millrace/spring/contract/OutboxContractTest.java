package io.millrace.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Codec;
import io.millrace.api.JobType;
import io.millrace.outbox.jdbc.JdbcOutbox;
import io.millrace.outbox.jdbc.OutboxRelay;
import io.millrace.outbox.jdbc.RelayFigures;
import io.millrace.spring.JobHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The outbox in the database of an application. */
public abstract class OutboxContractTest {

  private static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT);

  /** The handler that sees what was relayed. */
  static class Mails {

    final Seen seen = new Seen();

    @JobHandler("mail")
    void send(String to) {
      seen.add(to);
    }
  }

  private static ApplicationContextRunner with(Class<?>... components) {
    return Contexts.with(components)
        .withPropertyValues(
            "spring.autoconfigure.exclude=",
            "spring.datasource.url=jdbc:h2:mem:outbox-" + UUID.randomUUID(),
            "millrace.outbox.enabled=true");
  }

  @Test
  void rows_ofTransactions_becomeJobsIfTheseCommit() {
    List<OutboxRelay> relays = new ArrayList<>();
    with(Mails.class)
        .withPropertyValues("millrace.outbox.create-table=true", "millrace.outbox.table=jobs_out")
        .run(
            context -> {
              JdbcOutbox outbox = context.getBean(JdbcOutbox.class);
              JdbcTemplate database = context.getBean(JdbcTemplate.class);
              TransactionTemplate transactions =
                  new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
              relays.add(context.getBean(OutboxRelay.class));
              for (String to : List.of("rolled back", "committed")) {
                transactions.executeWithoutResult(
                    transaction -> {
                      ConnectionCallback<UUID> row =
                          connection -> outbox.enqueue(connection, MAIL, to);
                      database.execute(row);
                      if (to.equals("rolled back")) {
                        transaction.setRollbackOnly();
                      }
                    });
              }

              assertThat(context.getBean(Mails.class).seen.next()).isEqualTo("committed");
              assertThat(context.getBean(Mails.class).seen.isEmpty()).isTrue();
            });
    assertThat(relays).hasSize(1);
    assertThat(relays.get(0).figures().state()).isEqualTo(RelayFigures.State.CLOSED);
  }

  @Test
  void table_ofAPoolWithoutAutoCommit_isThereAndRelayedLazily() {
    with(Mails.class)
        .withPropertyValues(
            "millrace.outbox.create-table=true",
            "spring.main.lazy-initialization=true",
            "spring.datasource.hikari.auto-commit=false")
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(context.getSourceApplicationContext().getBeanFactory())
                  .matches(beans -> beans.containsSingleton("millraceOutboxRelay"));
              assertThat(
                      context
                          .getBean(JdbcTemplate.class)
                          .queryForObject("select count(*) from millrace_outbox", Long.class))
                  .isZero();
            });
  }

  private static void refuses(ApplicationContextRunner application, String sentence) {
    application.run(
        context -> {
          @Nullable Throwable failure = context.getStartupFailure();
          assertThat(
                  Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                      .map(Throwable::getMessage)
                      .collect(Collectors.joining("\n")))
              .contains(sentence);
        });
  }

  @Test
  void start_withoutTheOutboxsJar_namesIt() {
    refuses(
        with().withClassLoader(new FilteredClassLoader("io.millrace.outbox")),
        "Add the dependency io.millrace:millrace-outbox-jdbc");
  }

  @Test
  void start_withoutDataSource_saysSo() {
    refuses(
        Contexts.with().withPropertyValues("millrace.outbox.enabled=true"),
        "there is no DataSource, or which of several is not clear");
  }

  @Test
  void start_withoutOutbox_hasNone() {
    with()
        .withPropertyValues("millrace.outbox.enabled=false")
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(JdbcOutbox.class));
  }
}
