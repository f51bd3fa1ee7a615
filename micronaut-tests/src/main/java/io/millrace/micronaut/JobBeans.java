package io.millrace.micronaut;

import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Value;
import io.millrace.api.Codec;
import io.millrace.api.EngineOptions;
import io.millrace.api.JobType;
import io.millrace.engine.JobEngine;
import io.millrace.worker.Schedule;
import io.millrace.worker.Schedules;
import io.millrace.worker.Worker;
import jakarta.inject.Singleton;
import java.time.Duration;

// region micronaut: engine, worker and schedules as beans
@Factory
class JobBeans {

  static final JobType<String> WELCOME = JobType.of("welcome", Codec.TEXT);
  static final JobType<String> REPORT = JobType.of("report", Codec.TEXT);

  @Singleton
  @Bean(preDestroy = "close")
  JobEngine engine(@Value("${jobs.location}") String location) {
    return JobEngine.open(location, EngineOptions.DEFAULT.closeAtShutdown(false));
  }

  @Context // starts with the application; it needs the engine, so it is closed before that
  @Bean(preDestroy = "close")
  Worker worker(JobEngine engine, Mailer mailer) {
    Schedules.of(engine)
        .declare(
            "mail", Schedule.every("hourly", Duration.ofHours(1)).enqueue(REPORT, "all is well"));
    return Worker.on(engine)
        .handle(WELCOME, (address, job) -> mailer.send(address))
        .handle(REPORT, (text, job) -> mailer.report(text))
        .start();
  }
}
// endregion
