package io.millrace.spring.contract;

import io.millrace.api.Codec;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.spring.JobHandler;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** An application whose one job is at work when the process is told to end. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class SlowApplication {

  static final JobType<String> SLOW = JobType.of("slow", Codec.TEXT);
  static final String BEGUN = "handler has begun";
  static final String ENDED = "handler has ended";

  private static final Duration WORK = Duration.ofMillis(700);

  public static void main(String[] args) throws InterruptedException {
    try (ConfigurableApplicationContext context =
        new SpringApplicationBuilder(SlowApplication.class)
            .web(WebApplicationType.NONE)
            .run(args)) {
      context.getBean(JobQueues.class).enqueue(SLOW, "slow");
      new CountDownLatch(1).await();
    }
  }

  @JobHandler("slow")
  void work() throws InterruptedException {
    System.out.println(BEGUN);
    boolean isOver = new CountDownLatch(1).await(WORK.toMillis(), TimeUnit.MILLISECONDS);
    System.out.println(isOver ? "" : ENDED);
  }
}
