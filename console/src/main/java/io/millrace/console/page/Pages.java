package io.millrace.console.page;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import io.millrace.MillraceException;
import io.millrace.api.BatchId;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.console.access.Session;
import io.millrace.console.act.Actions;
import io.millrace.console.act.Filters;
import io.millrace.console.act.Tasks;
import io.millrace.console.api.Api;
import io.millrace.console.api.Call;
import io.millrace.console.api.Performer;
import io.millrace.console.hook.PayloadView.Part;
import io.millrace.console.hook.Role;
import io.millrace.console.http.Parameters;
import io.millrace.console.http.RefusedException;
import io.millrace.console.http.Request;
import io.millrace.console.http.Response;
import io.millrace.console.http.Routes;
import io.millrace.console.live.History;
import io.millrace.console.source.Changes.Outcome;
import io.millrace.console.source.DeadGroups;
import io.millrace.console.source.KeyUse;
import io.millrace.console.source.Scan;
import io.millrace.console.source.Selection;
import io.millrace.console.source.Source;
import io.millrace.console.text.JobParts;
import io.millrace.worker.ScheduleStatus;
import io.millrace.workflow.KeptStep;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.regex.Pattern;

/** The pages of the console. */
public final class Pages {

  private static final String TEMPLATES = "io.millrace.console.templates";
  private static final int QUEUE_COUNT_MAX = 1_000;
  private static final int SHOWN_QUEUE_COUNT = 50;
  private static final int NEXT_COUNT = 5;
  private static final int PAGE_BYTES_MAX = 100_000;
  private static final int GROUP_COUNT_MAX = 200;
  private static final int TEXT_LENGTH_MAX = 32_768;

  /** A path as a link has it: browsers leave tabs and ends of lines out, and find a host then. */
  private static final Pattern OWN_PATH = Pattern.compile("/(?![/\\\\])[!-~]*");

  private final TemplateEngine templates =
      TemplateEngine.createPrecompiled(
          null, ContentType.Html, Pages.class.getClassLoader(), TEMPLATES);

  /** The right to verify, which one has at a time: each reads the whole store. */
  private final Semaphore verifying = new Semaphore(1);

  private final Head head;
  private final Source source;
  private final Tasks tasks;
  private final Performer performer;
  private final JobParts parts;

  /**
   * The head of all pages.
   *
   * @param name the name of the application
   * @param hasLogin whether visitors log in and out here
   * @param hasTimes whether the console is told how long jobs wait and run
   */
  public record Head(String name, boolean hasLogin, boolean hasTimes) {}

  public Pages(Head head, Source source, Tasks tasks, Performer performer, JobParts parts) {
    this.head = head;
    this.source = source;
    this.tasks = tasks;
    this.performer = performer;
    this.parts = parts;
  }

  /** Adds the pages. */
  public void addTo(Routes<Call> routes) {
    routes.get("/", (call, in) -> overview(call));
    routes.get("/queues", (call, in) -> list(call, "queues", source::queues));
    routes.get("/queue", (call, in) -> queue(call));
    routes.get("/jobs", (call, in) -> jobs(call));
    routes.get("/jobs/{id}", (call, in) -> job(call, in.read("id", JobId::parse)));
    routes.get("/dead", (call, in) -> dead(call));
    routes.get("/running", (call, in) -> running(call));
    routes.get("/schedules", (call, in) -> schedules(call));
    routes.get("/batches", (call, in) -> list(call, "batches", source::batches));
    routes.get("/batches/{id}", (call, in) -> batch(call, in.read("id", BatchId::parse)));
    routes.get("/keys", (call, in) -> keys(call));
    routes.get("/tables", (call, in) -> list(call, "tables", source::tables));
    routes.get("/tables/{name}", (call, in) -> table(call, in.required("name")));
    routes.get("/tasks", (call, in) -> tasks(call));
    routes.get("/tasks/{id}", (call, in) -> task(call, in));
    routes.get("/store", (call, in) -> store(call));
    routes.get("/verify", (call, in) -> verify(call));
    routes.get("/confirm", (call, in) -> confirm(call));
    routes.post("/actions/{name}", (call, in) -> act(call, in.required("name")));
  }

  private Response overview(Call call) {
    Page<QueueStats> queues = source.queues(PageRequest.first(QUEUE_COUNT_MAX));
    Map<String, Object> model = new HashMap<>();
    model.put("depths", History.depths(queues.items()));
    model.put("isWhole", queues.items().size() < QUEUE_COUNT_MAX);
    model.put("hasTimes", head.hasTimes());
    model.put("metrics", source.metrics());
    Site site = site(call, "overview");
    return fitting(
        SHOWN_QUEUE_COUNT,
        size -> {
          model.put("queues", queues.items().stream().limit(size).toList());
          model.put("isMore", queues.items().size() > size);
          return page("overview", site, model);
        });
  }

  /** Returns the page of a list, whose word is that of its path, template and items. */
  private <T> Response list(Call call, String word, Function<PageRequest, Page<T>> pages) {
    Site site = site(call, word);
    return fitting(
        call,
        request -> {
          Page<T> page = pages.apply(request);
          Map<String, Object> model = new HashMap<>();
          model.put(word, page.items());
          model.put("pager", Pager.of(site, "/" + word, call.query(), page));
          return page(word, site, model);
        });
  }

  private Response queue(Call call) {
    QueueName queue = Actions.queue(call.query());
    QueueStats stats =
        source.queue(queue).orElseThrow(() -> new RefusedException(404, "no queue: name=" + queue));
    Map<String, Object> model = new HashMap<>();
    model.put("stats", stats);
    model.put("settings", source.settings(queue));
    return page("queue", site(call, "queues"), model);
  }

  private Response jobs(Call call) {
    Site site = site(call, "jobs");
    return fitting(
        call,
        request -> {
          Selection selection = Filters.read(call.query());
          Page<Job> page = source.jobHeads(selection.filter(), request);
          Map<String, Object> model = new HashMap<>();
          model.put("selection", selection);
          model.put("given", Filters.parameters(selection).firsts());
          model.put("query", call.query().without("cursor"));
          model.put("jobs", page.items().stream().filter(selection::has).toList());
          model.put("pager", Pager.of(site, "/jobs", call.query(), page));
          return page("jobs", site, model);
        });
  }

  private Response job(Call call, JobId id) {
    Job job = source.job(id).orElseThrow(() -> new RefusedException(404, "no job: id=" + id));
    Map<Part, String> shown = new LinkedHashMap<>();
    for (Part part : Part.values()) {
      parts.shown(job, part).ifPresent(text -> shown.put(part, text));
    }
    Map<String, Object> model = new HashMap<>();
    model.put("job", job);
    model.put("explanation", source.explain(id));
    model.put("parts", shown);
    model.put("steps", KeptStep.of(job));
    Site site = site(call, "jobs");
    return fitting(
        TEXT_LENGTH_MAX,
        size -> {
          model.put("lengthMax", size);
          return page("job", site, model);
        });
  }

  private Response dead(Call call) {
    DeadGroups groups = DeadGroups.of(source, Filters.read(call.query()));
    Site site = site(call, "dead");
    return fitting(
        GROUP_COUNT_MAX, size -> page("dead", site, Map.of("groups", groups, "countMax", size)));
  }

  private Response running(Call call) {
    JobFilter leased = JobFilter.ALL.states(EnumSet.of(JobState.LEASED));
    Site site = site(call, "running");
    var workers = source.workers();
    return fitting(
        call,
        request -> {
          Page<Job> page = source.jobHeads(leased, request);
          Map<String, Object> model = new HashMap<>();
          model.put("workers", workers);
          model.put("countMax", request.size());
          model.put("jobs", page.items());
          model.put("pager", Pager.of(site, "/running", call.query(), page));
          return page("running", site, model);
        });
  }

  private Response schedules(Call call) {
    Site site = site(call, "schedules");
    return fitting(
        call,
        request -> {
          Page<ScheduleStatus> page = source.schedules(request);
          Map<String, List<Instant>> next = new HashMap<>();
          for (ScheduleStatus schedule : page.items()) {
            if (schedule.unreadable().isEmpty()) {
              source
                  .nextInstants(schedule.name(), NEXT_COUNT)
                  .ifPresent(instants -> next.put(schedule.name(), instants));
            }
          }
          Map<String, Object> model = new HashMap<>();
          model.put("schedules", page.items());
          model.put("next", next);
          model.put("pager", Pager.of(site, "/schedules", call.query(), page));
          return page("schedules", site, model);
        });
  }

  private Response batch(Call call, BatchId id) {
    var batch = source.batch(id).orElseThrow(() -> new RefusedException(404, "no batch: id=" + id));
    return page("batch", site(call, "batches"), Map.of("batch", batch));
  }

  private Response keys(Call call) {
    KeyUse use = KeyUse.of(source);
    Site site = site(call, "keys");
    return fitting(
        GROUP_COUNT_MAX, size -> page("keys", site, Map.of("use", use, "countMax", size)));
  }

  private Response table(Call call, String table) {
    Site site = site(call, "tables");
    return fitting(
        call,
        request -> {
          String prefix = call.query().given("prefix").orElse("");
          var page = source.tableRows(table, prefix.getBytes(StandardCharsets.UTF_8), request);
          Map<String, Object> model = new HashMap<>();
          model.put("table", table);
          model.put("prefix", prefix);
          model.put("rows", page.items());
          String path = "/tables/" + Parameters.encoded(table).replace("+", "%20");
          model.put("pager", Pager.of(site, path, call.query(), page));
          return page("table", site, model);
        });
  }

  private Response tasks(Call call) {
    return page("tasks", site(call, "tasks"), Map.of("tasks", tasks.all()));
  }

  private Response task(Call call, Parameters in) {
    int id = in.number("id", 0, 1, Integer.MAX_VALUE);
    var task = tasks.get(id).orElseThrow(() -> new RefusedException(404, "no task: id=" + id));
    return page("task", site(call, "tasks"), Map.of("task", task));
  }

  private Response store(Call call) {
    return page("store", site(call, "store"), Map.of("metrics", source.metrics()));
  }

  private Response verify(Call call) {
    if (!verifying.tryAcquire()) {
      throw new RefusedException(503, "store is being verified: ask again when that is over");
    }
    try {
      return page("verify", site(call, "store"), Map.of("report", source.verify()));
    } finally {
      verifying.release();
    }
  }

  /** Asks before an action that cannot be taken back, and says how many jobs are meant. */
  private Response confirm(Call call) {
    var action = performer.get(call.query().required("action"));
    Parameters given = call.query().without("action").without("back");
    Map<String, Object> model = new HashMap<>();
    model.put("action", action);
    model.put("given", given);
    model.put("back", back(call.query()));
    long[] count = {0};
    boolean isOfMany = action.name().startsWith("jobs.");
    boolean isWhole =
        !isOfMany
            || Scan.run(
                source, Actions.meant(action.name(), Filters.read(given)), job -> count[0]++);
    model.put("isOfMany", isOfMany);
    model.put("count", count[0]);
    model.put("isWhole", isWhole);
    return page("confirm", site(call, ""), model);
  }

  /** Carries an action out for a form, and leads back to the page that the form was on. */
  private Response act(Call call, String action) {
    Parameters form = call.request().form();
    String sentence;
    String back = back(form);
    try {
      Outcome outcome = performer.perform(call, action, form.without("back"));
      sentence = action + ": " + Show.word(outcome.word());
      if (outcome.word().startsWith("TASK ")) {
        back = "/tasks/" + outcome.word().substring("TASK ".length());
      } else if (isPageOfGoneJob(back, form)) {
        back = "/jobs";
      }
    } catch (RefusedException e) {
      // Of another process that does not answer nobody knows whether it has done it.
      String how = e.status() >= 500 ? " has failed: " : " was not done: ";
      sentence = action + how + e.getMessage();
    } catch (IllegalArgumentException e) {
      sentence = action + " was not done: " + e.getMessage();
    } catch (MillraceException e) {
      sentence = action + " has failed: " + e.getMessage();
    }
    String said = sentence;
    call.entry().session().ifPresent(session -> session.notice(said));
    return Response.seeOther(call.request().base() + back);
  }

  /** Tells whether a page was that of the job of a form, which is not there any more. */
  private boolean isPageOfGoneJob(String page, Parameters form) {
    Optional<String> id = form.text("id");
    if (id.isEmpty() || !page.equals("/jobs/" + id.get())) {
      return false;
    }
    try {
      return source.job(form.read("id", JobId::parse)).isEmpty();
    } catch (RefusedException | MillraceException e) {
      return false; // the action is done; its page says what is wrong
    }
  }

  /** Returns the path to come back to; that of another site is not taken. */
  private static String back(Parameters form) {
    String back = form.text("back").orElse("/");
    return OWN_PATH.matcher(back).matches() ? back : "/";
  }

  /** Returns the page on which a visitor shows the token. */
  public Response login(Request request, int status, String notice) {
    Site site =
        new Site(
            request.base(),
            head.name(),
            "",
            "",
            false,
            false,
            "",
            notice.isEmpty() ? null : notice,
            "/",
            Instant.now());
    return Response.html(status, rendered("login", site, Map.of()));
  }

  /** Returns the page of an error. */
  public Response error(Request request, int status, String message) {
    Site site =
        new Site(request.base(), head.name(), "", "", false, false, "", null, "/", Instant.now());
    return Response.html(
        status, rendered("error", site, Map.of("status", status, "message", message)));
  }

  private Site site(Call call, String section) {
    Optional<Session> session = call.entry().session();
    return new Site(
        call.request().base(),
        head.name(),
        section,
        call.visitor().name(),
        call.visitor().role().includes(Role.OPERATE) && source.changes().isPresent(),
        head.hasLogin() && session.isPresent(),
        session.map(Session::formToken).orElse(""),
        session.map(Session::takeNotice).orElse(null),
        call.request().rawPath() + call.query().query(),
        Instant.now());
  }

  /**
   * Returns a page with as many items as fit into it: of large ones half as many, and half of them
   * again.
   */
  private static Response fitting(int most, IntFunction<Response> pages) {
    Response page = pages.apply(most);
    for (int size = most / 2; size > 0 && page.body().length > PAGE_BYTES_MAX; size /= 2) {
      page = pages.apply(size);
    }
    return page;
  }

  private static Response fitting(Call call, Function<PageRequest, Response> pages) {
    PageRequest asked = Api.pageRequest(call.query());
    return fitting(asked.size(), size -> pages.apply(new PageRequest(size, asked.cursor())));
  }

  private Response page(String template, Site site, Map<String, Object> model) {
    return Response.html(200, rendered(template, site, model));
  }

  private String rendered(String template, Site site, Map<String, Object> model) {
    Map<String, Object> all = new HashMap<>(model);
    all.put("site", site);
    StringOutput out = new StringOutput();
    templates.render(template + ".jte", all, out);
    return out.toString();
  }
}
