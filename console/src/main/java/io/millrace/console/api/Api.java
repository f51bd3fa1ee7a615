package io.millrace.console.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.millrace.api.BatchId;
import io.millrace.api.JobId;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.console.act.Actions;
import io.millrace.console.act.Filters;
import io.millrace.console.act.Task;
import io.millrace.console.act.Tasks;
import io.millrace.console.http.Parameters;
import io.millrace.console.http.RefusedException;
import io.millrace.console.http.Response;
import io.millrace.console.http.Routes;
import io.millrace.console.live.History;
import io.millrace.console.live.Point;
import io.millrace.console.source.Changes.Outcome;
import io.millrace.console.source.DeadGroups;
import io.millrace.console.source.KeyUse;
import io.millrace.console.source.Selection;
import io.millrace.console.source.Source;
import io.millrace.console.text.DescribedJson;
import io.millrace.console.text.JobJson;
import io.millrace.console.text.JobParts;
import io.millrace.console.text.Json;
import io.millrace.describe.Description;
import io.millrace.describe.Descriptions;
import io.millrace.describe.Form;
import io.millrace.describe.Kind;
import io.millrace.worker.WorkerDescriptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The paths below {@code /api/v1}: what the console shows and does, as JSON for programs. */
public final class Api {

  /** The path of the first version, which stays. */
  public static final String BASE = "/api/v1";

  private static final int PAGE_SIZE = 100;
  private static final int NEXT_COUNT = 10;

  private static final Description<DeadGroups.Group> GROUP =
      Description.<DeadGroups.Group>of(DeadGroups.Group.class)
          .with("queue", Descriptions.QUEUE_NAME.spread(), DeadGroups.Group::queue)
          .with("type", Kind.TEXT, DeadGroups.Group::type)
          .with("error", Kind.TEXT, DeadGroups.Group::error)
          .with("count", Kind.LONG, DeadGroups.Group::count)
          .with("last", Kind.INSTANT, DeadGroups.Group::last)
          .build();

  private static final Description<DeadGroups> GROUPS =
      Description.<DeadGroups>of(DeadGroups.class)
          .with("groups", GROUP.each(), DeadGroups::groups)
          .with("isWhole", Kind.BOOLEAN, DeadGroups::isWhole)
          .build();

  private static final Description<KeyUse.Use> KEY =
      Description.<KeyUse.Use>of(KeyUse.Use.class)
          .with("scope", Kind.TEXT, KeyUse.Use::scope)
          .with("key", Kind.TEXT, KeyUse.Use::key)
          .with("running", Kind.LONG, KeyUse.Use::running)
          .with("waiting", Kind.LONG, KeyUse.Use::waiting)
          .build();

  private static final Description<KeyUse> KEYS =
      Description.<KeyUse>of(KeyUse.class)
          .with("keys", KEY.each(), KeyUse::keys)
          .with("isWhole", Kind.BOOLEAN, KeyUse::isWhole)
          .build();

  private static final Description<Source.WorkerStatus> WORKER =
      Description.<Source.WorkerStatus>of(Source.WorkerStatus.class)
          .with("name", Kind.TEXT, Source.WorkerStatus::name)
          .with("state", Kind.TEXT, Source.WorkerStatus::state)
          .with("concurrency", Kind.INT, Source.WorkerStatus::concurrency)
          .with("busy", Kind.INT, Source.WorkerStatus::busy)
          .with("running", WorkerDescriptions.RUNNING_JOB.each(), Source.WorkerStatus::running)
          .build();

  @SuppressWarnings("unchecked") // what is received of a map is what was sent
  private static final Kind<Map<String, Long>> COUNTS =
      new Kind<>(
          Map.class,
          counts -> counts,
          counts -> (Map<String, Long>) counts,
          counts -> counts,
          "",
          "");

  private static final Description<Task.Status> TASK =
      Description.<Task.Status>of(Task.Status.class)
          .with("id", Kind.INT, Task.Status::id)
          .told("task")
          .with("action", Kind.TEXT, Task.Status::action)
          .with("filter", Kind.TEXT, Task.Status::filter)
          .with("since", Kind.INSTANT, Task.Status::since)
          .with("stage", Kind.constant(Task.Stage.class), Task.Status::stage)
          .with("found", Kind.LONG, Task.Status::found)
          .with("changed", Kind.LONG, Task.Status::changed)
          .with("outcomes", COUNTS, Task.Status::outcomes)
          .with("failure", Kind.REMARK, Task.Status::failure)
          .build();

  private final Source source;
  private final Tasks tasks;
  private final Performer performer;
  private final History history;
  private final JobParts parts;
  private final List<Operation> operations = new ArrayList<>();

  public Api(Source source, Tasks tasks, Performer performer, History history, JobParts parts) {
    this.source = source;
    this.tasks = tasks;
    this.performer = performer;
    this.history = history;
    this.parts = parts;
  }

  /** Adds the endpoints. */
  public void addTo(Routes<Call> routes) {
    addQueues(routes);
    addJobs(routes);
    addOthers(routes);
    routes.get(
        BASE + "/openapi.json",
        (call, in) -> Response.json(200, OpenApi.document(operations, performer.all())));
    routes.post(BASE + "/actions/{name}", this::act);
  }

  private void addQueues(Routes<Call> routes) {
    get(
        routes,
        Operation.of("/engine", "The engine's figures and health.", Descriptions.METRICS)
            .and("health", Descriptions.HEALTH)
            .and("canChange", Kind.BOOLEAN),
        (call, in) -> engine());
    get(
        routes,
        answering("/history", "The last hour, oldest first.", "points", Point.DESCRIPTION.each()),
        (call, in) -> each("points", Point.DESCRIPTION, history.points()));
    get(
        routes,
        answering("/queues", "Queues with their counts.", "queues", Descriptions.QUEUE.each())
            .and("next", Kind.TEXT)
            .paged(),
        (call, in) -> page(Descriptions.QUEUE, "queues", call, source::queues));
    get(
        routes,
        Operation.of("/queue", "A queue with its settings.", Descriptions.QUEUE)
            .and("settings", Descriptions.SETTINGS)
            .with("queueName", "the name of the queue", true)
            .with("tenant", "its tenant", false),
        (call, in) -> queue(Actions.queue(call.query())));
    get(
        routes,
        Operation.of("/keys", "Concurrency keys that are in use.", KEYS),
        (call, in) -> object(KEYS, KeyUse.of(source)));
  }

  private void addJobs(Routes<Call> routes) {
    get(
        routes,
        Operation.of("/jobs", "Jobs that meet a filter.", Descriptions.JOBS).filtered().paged(),
        (call, in) -> jobs(call));
    get(
        routes,
        Operation.of("/jobs/{id}", "A job.", Descriptions.JOB),
        (call, in) -> job(in.read("id", JobId::parse)));
    get(
        routes,
        Operation.of(
            "/jobs/{id}/explanation", "Why a job is not running.", Descriptions.EXPLANATION),
        (call, in) ->
            one(Descriptions.EXPLANATION, source.explain(in.read("id", JobId::parse)), "job", in));
    get(
        routes,
        Operation.of("/dead/groups", "Dead letters by what they died of.", GROUPS).filtered(),
        (call, in) -> object(GROUPS, DeadGroups.of(source, Filters.read(call.query()))));
    get(
        routes,
        answering("/tasks", "Actions on many jobs, newest first.", "tasks", TASK.each()),
        (call, in) -> each("tasks", TASK, tasks.all()));
    get(
        routes,
        Operation.of("/tasks/{id}", "An action on many jobs.", TASK),
        (call, in) -> one(TASK, tasks.get(in.number("id", 0, 1, Integer.MAX_VALUE)), "task", in));
  }

  private void addOthers(Routes<Call> routes) {
    get(
        routes,
        answering("/batches", "Batches of jobs.", "batches", Descriptions.BATCH.each())
            .and("next", Kind.TEXT)
            .paged(),
        (call, in) -> page(Descriptions.BATCH, "batches", call, source::batches));
    get(
        routes,
        Operation.of("/batches/{id}", "A batch.", Descriptions.BATCH),
        (call, in) ->
            one(Descriptions.BATCH, source.batch(in.read("id", BatchId::parse)), "batch", in));
    get(
        routes,
        Operation.of("/schedules", "Schedules.", WorkerDescriptions.SCHEDULES).paged(),
        (call, in) -> page(WorkerDescriptions.SCHEDULE, "schedules", call, source::schedules));
    get(
        routes,
        answering("/schedules/{name}/next", "The next instants of a schedule.", "next", Kind.TEXTS),
        (call, in) -> next(in));
    get(
        routes,
        answering("/workers", "Workers, with what they run.", "workers", WORKER.each()),
        (call, in) -> each("workers", WORKER, source.workers()));
    get(
        routes,
        Operation.of("/tables", "The names of tables.", Descriptions.TABLES).paged(),
        (call, in) -> object(Descriptions.TABLES, source.tables(pageRequest(call.query()))));
    get(
        routes,
        Operation.of("/tables/{name}", "Rows of a table.", Descriptions.TABLE_ROWS)
            .with("prefix", "the beginning of their keys, as text", false)
            .paged(),
        this::rows);
  }

  private void get(Routes<Call> routes, Operation operation, Routes.Endpoint<Call> endpoint) {
    operations.add(operation);
    routes.get(BASE + operation.path(), endpoint);
  }

  private static Operation answering(String path, String summary, String name, Form<?> form) {
    return new Operation(path, summary, List.of(), List.of()).and(name, form);
  }

  private Response engine() {
    return Response.json(
        200,
        Json.object(
            json -> {
              json.writeBooleanField("canChange", source.changes().isPresent());
              var metrics = source.metrics();
              if (metrics.isPresent()) {
                DescribedJson.writeAttributes(Descriptions.METRICS, metrics.get(), json);
                json.writeFieldName("health");
                DescribedJson.write(Descriptions.HEALTH, metrics.get().health(), json);
              }
            }));
  }

  private Response queue(QueueName name) {
    var stats =
        source.queue(name).orElseThrow(() -> new RefusedException(404, "no queue: name=" + name));
    return Response.json(
        200,
        Json.object(
            json -> {
              DescribedJson.writeAttributes(Descriptions.QUEUE, stats, json);
              json.writeFieldName("settings");
              DescribedJson.write(Descriptions.SETTINGS, source.settings(name), json);
            }));
  }

  private Response jobs(Call call) {
    Selection selection = Filters.read(call.query());
    var page = source.jobs(selection.filter(), pageRequest(call.query()));
    return Response.json(
        200,
        Json.object(
            json -> {
              json.writeArrayFieldStart("jobs");
              for (var job : page.items().stream().filter(selection::has).toList()) {
                JobJson.write(job, json, parts);
              }
              json.writeEndArray();
              writeNext(page, json);
            }));
  }

  private Response job(JobId id) {
    var job = source.job(id).orElseThrow(() -> new RefusedException(404, "no job: id=" + id));
    return Response.json(200, Json.object(json -> JobJson.writeFields(job, json, parts)));
  }

  private Response next(Parameters in) {
    var instants =
        source
            .nextInstants(in.required("name"), NEXT_COUNT)
            .orElseThrow(
                () -> new RefusedException(404, "no schedule: name=" + in.required("name")));
    return Response.json(
        200,
        Json.object(
            json -> {
              json.writeArrayFieldStart("next");
              for (var instant : instants) {
                json.writeString(instant.toString());
              }
              json.writeEndArray();
            }));
  }

  private Response rows(Call call, Parameters in) {
    byte[] prefix = call.query().given("prefix").orElse("").getBytes(StandardCharsets.UTF_8);
    return page(
        Descriptions.TABLE_ROW,
        "rows",
        call,
        request -> source.tableRows(in.required("name"), prefix, request));
  }

  private Response act(Call call, Parameters in) {
    Outcome outcome = performer.perform(call, in.required("name"), call.request().form());
    return Response.json(
        outcome.isDone() ? 200 : 409,
        Json.object(
            json -> {
              json.writeStringField("outcome", outcome.word());
              json.writeBooleanField("isDone", outcome.isDone());
            }));
  }

  private static <T> Response one(
      Description<T> description, Optional<T> found, String noun, Parameters in) {
    return object(
        description,
        found.orElseThrow(
            () -> new RefusedException(404, "no " + noun + ": id=" + in.required("id"))));
  }

  private static <T> Response object(Description<T> description, T object) {
    return Response.json(
        200, Json.object(json -> DescribedJson.writeAttributes(description, object, json)));
  }

  private static <T> Response each(String name, Description<T> description, List<T> objects) {
    return Response.json(200, Json.object(json -> writeEach(name, description, objects, json)));
  }

  private static <T> Response page(
      Description<T> description, String name, Call call, Function<PageRequest, Page<T>> pages) {
    Page<T> page = pages.apply(pageRequest(call.query()));
    return Response.json(
        200,
        Json.object(
            json -> {
              writeEach(name, description, page.items(), json);
              writeNext(page, json);
            }));
  }

  private static <T> void writeEach(
      String name, Description<T> description, List<T> objects, JsonGenerator json)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (T object : objects) {
      DescribedJson.write(description, object, json);
    }
    json.writeEndArray();
  }

  private static void writeNext(Page<?> page, JsonGenerator json) throws IOException {
    if (page.next().isPresent()) {
      json.writeStringField("next", page.next().get());
    }
  }

  /**
   * Returns the page that is asked for by {@code cursor} and {@code size}.
   *
   * @throws RefusedException the size is out of its range
   */
  public static PageRequest pageRequest(Parameters query) {
    int size = query.number("size", PAGE_SIZE, 1, 1_000);
    return new PageRequest(size, query.text("cursor"));
  }
}
