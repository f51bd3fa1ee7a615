package io.millrace.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Codec;
import io.millrace.api.EnqueueRefusedException;
import io.millrace.api.JobQueues;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.PageRequest;
import io.millrace.spring.AfterCommit;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Jobs that are enqueued when a transaction of a database has committed. */
public abstract class AfterCommitContractTest {

  private static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT);

  private static List<String> jobs(ApplicationContext context) {
    return context
        .getBean(JobQueues.class)
        .queue("mail")
        .peek(JobState.READY, PageRequest.first(100))
        .items()
        .stream()
        .map(job -> job.payload(MAIL))
        .toList();
  }

  private static void inContext(BiConsumer<ApplicationContext, TransactionTemplate> test) {
    Contexts.with()
        .withPropertyValues(
            "spring.autoconfigure.exclude=",
            "spring.datasource.url=jdbc:h2:mem:aftercommit",
            "millrace.worker.enabled=false")
        .run(
            context -> {
              context
                  .getBean(JdbcTemplate.class)
                  .execute("create table if not exists member (address varchar(99))");
              test.accept(
                  context,
                  new TransactionTemplate(context.getBean(PlatformTransactionManager.class)));
            });
  }

  @Test
  void jobs_ofTransaction_comeWithItsCommit() {
    inContext(
        (context, transactions) -> {
          AfterCommit afterCommit = context.getBean(AfterCommit.class);
          transactions.executeWithoutResult(
              status -> {
                context.getBean(JdbcTemplate.class).update("insert into member values ('ada')");
                afterCommit.enqueue(MAIL, "ada");
                afterCommit.enqueue(MAIL, "bob", options -> options.priority(5));
                assertThat(jobs(context)).isEmpty();
              });

          assertThat(jobs(context)).containsExactly("bob", "ada");
          assertThat(
                  context
                      .getBean(JdbcTemplate.class)
                      .queryForObject("select count(*) from member", Long.class))
              .isEqualTo(1);
        });
  }

  @Test
  void jobs_ofTransactionThatIsRolledBack_neverCome() {
    inContext(
        (context, transactions) -> {
          assertThatThrownBy(
                  () ->
                      transactions.executeWithoutResult(
                          status -> {
                            context.getBean(AfterCommit.class).enqueue(MAIL, "ada");
                            throw new IllegalStateException("no");
                          }))
              .hasMessage("no");

          assertThat(jobs(context)).isEmpty();
        });
  }

  @Test
  void jobs_afterSavepoint_goWithItsRollback() {
    inContext(
        (context, transactions) -> {
          AfterCommit afterCommit = context.getBean(AfterCommit.class);
          TransactionTemplate nested =
              new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
          nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
          transactions.executeWithoutResult(
              outer -> {
                nested.executeWithoutResult(
                    inner -> {
                      afterCommit.enqueue(MAIL, "before any other");
                      inner.setRollbackOnly();
                    });
                afterCommit.enqueue(MAIL, "outer");
                nested.executeWithoutResult(
                    inner -> {
                      afterCommit.enqueue(MAIL, "inner");
                      inner.setRollbackOnly();
                    });
                nested.executeWithoutResult(inner -> afterCommit.enqueue(MAIL, "kept"));
              });

          assertThat(jobs(context)).containsExactly("outer", "kept");
        });
  }

  @Test
  void jobs_ofInnerTransaction_comeWithThatOne() {
    inContext(
        (context, transactions) -> {
          AfterCommit afterCommit = context.getBean(AfterCommit.class);
          TransactionTemplate own =
              new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
          own.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
          transactions.executeWithoutResult(
              outer -> {
                afterCommit.enqueue(MAIL, "outer");
                own.executeWithoutResult(inner -> afterCommit.enqueue(MAIL, "inner"));
                assertThat(jobs(context)).containsExactly("inner");
                outer.setRollbackOnly();
              });

          assertThat(jobs(context)).containsExactly("inner");
        });
  }

  @Test
  void enqueue_withoutTransaction_isRefused() {
    inContext(
        (context, transactions) -> {
          AfterCommit afterCommit = context.getBean(AfterCommit.class);

          assertThatThrownBy(() -> afterCommit.enqueue(MAIL, "ada"))
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("no transaction is active on this thread: queue=mail");
          assertThat(jobs(context)).isEmpty();
        });
  }

  @Test
  void jobs_thatTheQueueRefuses_areToldToTheCallerAndNoneIsThere() {
    inContext(
        (context, transactions) -> {
          AfterCommit afterCommit = context.getBean(AfterCommit.class);
          context
              .getBean(JobQueues.class)
              .admin()
              .configure("mail", settings -> settings.depthMax(1));

          assertThatThrownBy(
                  () ->
                      transactions.executeWithoutResult(
                          status -> {
                            afterCommit.enqueue(MAIL, "ada");
                            afterCommit.enqueue(MAIL, "bob");
                          }))
              .isInstanceOf(EnqueueRefusedException.class);
          assertThat(jobs(context)).isEmpty();
        });
  }
}
