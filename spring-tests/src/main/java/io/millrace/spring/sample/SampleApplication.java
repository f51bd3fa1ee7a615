package io.millrace.spring.sample;

import io.millrace.api.JobType;
import io.millrace.spring.JobTypes;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Sends mails, and goes on sending those that are not sent when it is started again. */
@SpringBootApplication
public class SampleApplication {

  public static void main(String[] args) {
    SpringApplication.run(SampleApplication.class, args);
  }

  // region spring: a type of jobs
  @Bean
  JobType<Mail> mail(JobTypes types) {
    return types.of("mail", Mail.class).defaults(options -> options.maxAttempts(9));
  }
  // endregion
}
