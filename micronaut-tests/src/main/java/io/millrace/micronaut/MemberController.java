package io.millrace.micronaut;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.millrace.engine.JobEngine;

// region micronaut: enqueuing
@Controller("/members")
class MemberController {

  private final JobEngine engine;

  MemberController(JobEngine engine) {
    this.engine = engine;
  }

  @Post("/{address}")
  @ExecuteOn(TaskExecutors.BLOCKING) // enqueue waits for the disk: not on Netty's threads
  String welcome(String address) {
    return engine.enqueue(JobBeans.WELCOME, address).jobId().toString();
  }
}
// endregion
