package io.millrace.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.JobType;
import io.millrace.engine.JobEngine;
import io.millrace.spring.sample.Mail;
import io.millrace.spring.sample.MailService;
import io.millrace.spring.sample.Mailer;
import io.millrace.spring.sample.SampleApplication;
import io.millrace.spring.test.MillraceTest;
import io.millrace.test.TestEngine;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.test.context.ContextConfiguration;

/** Tests of jobs alone, in virtual time. */
@MillraceTest(properties = "sample.ping=1h")
@ContextConfiguration(classes = {SampleApplication.class, SliceContractTest.Server.class})
public abstract class SliceContractTest {

  /** A server that does not answer at first. */
  @TestConfiguration(proxyBeanMethods = false)
  static class Server {

    final List<String> sent = new ArrayList<>();
    int failures;

    @Bean
    Mailer mailer() {
      return (to, text) -> {
        if (failures > 0) {
          failures--;
          throw new IOException("no answer");
        }
        sent.add(to);
      };
    }
  }

  // region spring: a test in virtual time
  @Test
  void mail_serverIsDown_isTriedAgain(
      @Autowired TestEngine engine, @Autowired JobType<Mail> mail, @Autowired Server server) {
    server.failures = 2;
    engine.enqueue(mail, new Mail("ada@example.org", "Hello"));

    engine.run(); // attempt 1 fails
    engine.assertJobs(mail).delayed(1).nextIn(Duration.ofSeconds(1));
    engine.advance(Duration.ofMinutes(1)); // attempts 2 and 3, in milliseconds

    assertThat(server.sent).containsExactly("ada@example.org");
  }

  // endregion

  @Test
  void schedule_inVirtualTime_isRunAtItsTimes(
      @Autowired TestEngine engine, @Autowired Server server) {
    engine.advance(Duration.ofHours(24));

    assertThat(server.sent).hasSize(25).filteredOn("ops@example.org"::equals).hasSize(1);
  }

  @Test
  void slice_ofTheApplication_hasItsHandlersAlone(@Autowired ApplicationContext context) {
    assertThat(context.getBeanNamesForType(JobEngine.class)).isEmpty();
    assertThat(context.getBeanNamesForType(MailService.class)).isEmpty();
    assertThat(context.containsBean("dataSource")).isFalse();
    assertThat(context.getBeansOfType(TestEngine.class)).hasSize(1);
  }
}
