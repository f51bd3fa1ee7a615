package io.millrace.quarkus;

import io.millrace.engine.JobEngine;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;

// region quarkus: enqueuing
@Path("/members")
class MemberResource {

  private final JobEngine engine;

  MemberResource(JobEngine engine) {
    this.engine = engine;
  }

  @POST
  @Path("/{address}")
  String welcome(@PathParam("address") String address) { // waits for the disk, on a worker thread
    return engine.enqueue(JobBeans.WELCOME, address).jobId().toString();
  }
}
// endregion
