package io.millrace.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Batch;
import io.millrace.api.Codec;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobType;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.console.http.Response;
import io.millrace.worker.Schedule;
import io.millrace.worker.Schedules;
import java.io.IOException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Holds the document of the API against what the API answers. */
@Timeout(60)
class OpenApiTest {

  private final ConsoleRig rig = new ConsoleRig();
  private final Map<String, String> samples = new LinkedHashMap<>();

  @BeforeEach
  void fill() {
    rig.enqueue("mail", "x", EnqueueOptions.DEFAULT.concurrencyKey("k"));
    JobId dead = rig.die("mail", "no");
    JobId running =
        rig.enqueue("mail", "y", EnqueueOptions.DEFAULT.concurrencyKey("k").header("h", "v"));
    var lease = rig.engine.queue("mail").claim("worker-1", Duration.ofMinutes(5)).orElseThrow();
    assertThat(lease.jobId()).isEqualTo(running);
    JobId blocked = rig.enqueue("mail", "z", EnqueueOptions.DEFAULT.concurrencyKey("k"));
    rig.engine.table("customers", Codec.TEXT, Codec.TEXT).put("a", "Ada");
    Schedules.of(rig.engine)
        .put(
            Schedule.cron("nightly", "0 3 * * *", ZoneOffset.UTC)
                .enqueue(JobType.of("reports", Codec.TEXT), "all"));
    var batch =
        Batch.of("import")
            .add(new QueueName("rows", ""), NewJob.of(new byte[] {1}))
            .start(rig.engine);
    rig.post("/api/v1/actions/jobs.redrive", "state=dead&queueName=none");
    samples.put("/api/v1/jobs/{id}", "/api/v1/jobs/" + dead);
    samples.put("/api/v1/jobs/{id}/explanation", "/api/v1/jobs/" + blocked + "/explanation");
    samples.put("/api/v1/batches/{id}", "/api/v1/batches/" + batch);
    samples.put("/api/v1/tasks/{id}", "/api/v1/tasks/1");
    samples.put("/api/v1/schedules/{name}/next", "/api/v1/schedules/nightly/next");
    samples.put("/api/v1/tables/{name}", "/api/v1/tables/customers");
    samples.put("/api/v1/queue", "/api/v1/queue?queueName=mail");
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @SuppressWarnings("unchecked") // a document is what its test knows it to be
  private static Map<String, Object> object(Object in, String... names) {
    Object at = in;
    for (String name : names) {
      assertThat((Map<String, Object>) at).containsKey(name);
      at = ((Map<String, Object>) at).get(name);
    }
    return (Map<String, Object>) at;
  }

  private Map<String, Object> document() throws IOException {
    return ParsedJson.object(rig.get("/api/v1/openapi.json").body());
  }

  @Test
  void document_everyReadingPath_answersWithNoOtherFieldsThanItSays() throws IOException {
    Map<String, Object> paths = object(document(), "paths");
    List<String> read = new ArrayList<>();

    for (Map.Entry<String, Object> path : paths.entrySet()) {
      if (object(path.getValue()).containsKey("get")) {
        Map<String, Object> schema =
            object(
                path.getValue(),
                "get",
                "responses",
                "200",
                "content",
                "application/json",
                "schema");
        Response response = rig.get(samples.getOrDefault(path.getKey(), path.getKey()));
        assertThat(response.status()).as(path.getKey()).isEqualTo(200);
        check(path.getKey(), schema, ParsedJson.object(response.body()));
        read.add(path.getKey());
      }
    }

    assertThat(read).hasSize(18).containsAll(samples.keySet());
  }

  @SuppressWarnings("unchecked") // lists in answers hold objects or texts
  private static void check(String where, Map<String, Object> schema, Object answer) {
    Map<String, Object> properties = object(schema, "properties");
    for (Map.Entry<String, Object> field : object(answer).entrySet()) {
      assertThat(properties).as(where).containsKey(field.getKey());
      Map<String, Object> property = object(properties, field.getKey());
      String at = where + " " + field.getKey();
      Object value = field.getValue();
      switch (String.valueOf(property.get("type"))) {
        case "string" -> assertThat(value).as(at).isInstanceOf(String.class);
        case "integer" -> assertThat(value).as(at).isInstanceOf(Long.class);
        case "number" -> assertThat(value).as(at).isInstanceOf(Number.class);
        case "boolean" -> assertThat(value).as(at).isInstanceOf(Boolean.class);
        case "array" -> {
          assertThat(value).as(at).isInstanceOf(List.class);
          if (property.containsKey("items")) {
            ((List<Object>) value).forEach(each -> check(at, object(property, "items"), each));
          }
        }
        default -> {
          assertThat(value).as(at).isInstanceOf(Map.class);
          if (property.containsKey("properties")) {
            check(at, property, value);
          }
        }
      }
    }
  }

  @Test
  void document_parametersThatMayBeGivenSeveralTimes_areLists() throws IOException {
    Map<String, Object> paths = object(document(), "paths");
    Map<String, Object> jobs = object(paths, "/api/v1/jobs", "get");
    List<String> lists =
        ((List<?>) jobs.get("parameters"))
            .stream()
                .map(OpenApiTest::object)
                .filter(each -> "array".equals(object(each, "schema").get("type")))
                .map(each -> String.valueOf(each.get("name")))
                .toList();

    assertThat(lists).containsExactly("state", "header");
    assertThat(rig.get("/api/v1/jobs?state=dead&state=leased&header=h:v").status()).isEqualTo(200);
  }

  @Test
  void document_everyAction_isThere() throws IOException {
    Map<String, Object> paths = object(document(), "paths");

    assertThat(paths.keySet())
        .contains("/api/v1/actions/job.cancel", "/api/v1/actions/jobs.redrive")
        .filteredOn(path -> path.startsWith("/api/v1/actions/"))
        .allSatisfy(
            path -> {
              String name = path.substring("/api/v1/actions/".length());
              assertThat(rig.post("/api/v1/actions/" + name, "x=y").status())
                  .as(name)
                  .isNotEqualTo(404);
              assertThat(object(paths, path, "post")).containsKey("summary");
            })
        .hasSize(26);
  }
}
