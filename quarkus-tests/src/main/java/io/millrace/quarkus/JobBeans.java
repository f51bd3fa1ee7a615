package io.millrace.quarkus;

import io.millrace.api.Codec;
import io.millrace.api.EngineOptions;
import io.millrace.api.JobType;
import io.millrace.engine.JobEngine;
import io.millrace.worker.Schedule;
import io.millrace.worker.Schedules;
import io.millrace.worker.Worker;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

// region quarkus: engine, worker and schedules
@ApplicationScoped
class JobBeans {

  static final JobType<String> WELCOME = JobType.of("welcome", Codec.TEXT);
  static final JobType<String> REPORT = JobType.of("report", Codec.TEXT);

  private @Nullable Worker worker;

  @Produces
  @Singleton
  JobEngine engine(@ConfigProperty(name = "jobs.location") String location) {
    return JobEngine.open(location, EngineOptions.DEFAULT.closeAtShutdown(false));
  }

  void close(@Disposes JobEngine engine) {
    engine.close();
  }

  void start(@Observes StartupEvent event, JobEngine engine, Mailer mailer) {
    Schedules.of(engine)
        .declare(
            "mail", Schedule.every("hourly", Duration.ofHours(1)).enqueue(REPORT, "all is well"));
    worker =
        Worker.on(engine)
            .handle(WELCOME, (address, job) -> mailer.send(address))
            .handle(REPORT, (text, job) -> mailer.report(text))
            .start();
  }

  void stop(@Observes ShutdownEvent event) {
    if (worker != null) {
      worker.close(); // jobs that run may end; the engine is disposed of after this
    }
  }
}
// endregion
