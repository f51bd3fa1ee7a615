package io.millrace.console.act;

import io.millrace.api.BatchId;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.UpdateOptions;
import io.millrace.console.act.Action.Field;
import io.millrace.console.http.Parameters;
import io.millrace.console.http.RefusedException;
import io.millrace.console.source.Changes;
import io.millrace.console.source.Changes.Outcome;
import io.millrace.console.source.Selection;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/** All actions of a console, by name. Immutable. */
public final class Actions {

  private static final Field ID = new Field("id", "the id of the job", true);
  private static final List<Field> QUEUE =
      List.of(
          new Field("queueName", "the name of the queue", true),
          new Field("tenant", "its tenant; empty or absent for none", false));
  private static final List<Field> SCHEDULE =
      List.of(new Field("schedule", "the name of the schedule", true));

  private final Map<String, Action> actions = new LinkedHashMap<>();
  private final Tasks tasks;

  public Actions(Tasks tasks) {
    this.tasks = tasks;
    addJobs();
    addMany();
    addQueues();
    addOthers();
  }

  public Collection<Action> all() {
    return actions.values();
  }

  /**
   * Returns an action.
   *
   * @throws RefusedException there is none of this name
   */
  public Action get(String name) {
    return Optional.ofNullable(actions.get(name))
        .orElseThrow(() -> new RefusedException(404, "there is no such action: name=" + name));
  }

  private void addJobs() {
    job("job.cancel", "Cancels a job; a running one ends as its handler does.", Changes::cancel);
    job("job.release", "Takes a running job from its worker.", Changes::release);
    job("job.redrive", "Makes a dead letter ready again.", Changes::redrive);
    job("job.delete", "Removes a dead letter for good.", Changes::deleteDead);
    add(
        "job.reschedule",
        "Makes a waiting job ready at another time.",
        List.of(ID, new Field("at", "the time, such as 2030-01-31T12:00:00Z", true)),
        (changes, given) -> changes.reschedule(id(given), instant(given, "at")));
    add(
        "job.update",
        "Changes a job that does not run.",
        List.of(
            ID,
            new Field("priority", "a number, the higher the sooner", false),
            new Field("payload", "its new payload, as text", false)),
        (changes, given) -> changes.update(id(given), update(given)));
    add(
        "job.fail-stuck",
        "Makes a dead letter of a job that waits for a signal which does not come.",
        List.of(ID, new Field("error", "the reason", true)),
        (changes, given) -> changes.failStuck(id(given), given.required("error")));
    add(
        "job.signal",
        "Sends a signal to a job.",
        List.of(
            ID,
            new Field("signal", "the name of the signal", true),
            new Field("payload", "what comes with it, as text", false)),
        (changes, given) ->
            changes.signal(
                id(given),
                given.required("signal"),
                given.given("payload").orElse("").getBytes(StandardCharsets.UTF_8)));
  }

  private void job(String name, String summary, BiFunction<Changes, JobId, Outcome> change) {
    add(name, summary, List.of(ID), (changes, given) -> change.apply(changes, id(given)));
  }

  private void addMany() {
    many("jobs.cancel", "Cancels all jobs that meet a filter.", it -> it::cancel);
    many(
        "jobs.release", "Takes all jobs that meet a filter from their workers.", it -> it::release);
    many("jobs.redrive", "Makes dead letters that meet a filter ready again.", it -> it::redrive);
    many("jobs.delete", "Removes dead letters that meet a filter.", it -> it::deleteDead);
    add(
        "task.stop",
        "Stops an action on many jobs; what has been done stays done.",
        List.of(new Field("task", "the number of the task", true)),
        (changes, given) -> {
          int task = given.number("task", 0, 1, Integer.MAX_VALUE);
          return there(tasks.stop(task), "STOPPING");
        });
  }

  private void many(
      String name, String summary, Function<Changes, Function<JobId, Outcome>> change) {
    add(
        name,
        summary + " It is begun at once, and goes on as a task.",
        Filters.FIELDS,
        (changes, given) -> {
          Filters.checkAllCount(given);
          Selection selection = Filters.read(given);
          if (selection.equals(Selection.of(JobFilter.ALL))) {
            throw new RefusedException(
                "filter is met by all jobs: say a condition, or all states if all are meant");
          }
          return new Outcome(
              "TASK " + tasks.begin(name, meant(name, selection), change.apply(changes)).id(),
              true);
        });
  }

  /**
   * Returns those of a selection that an action on many jobs is for: dead letters are not looked
   * for among ten million others.
   *
   * @throws RefusedException the selection is of other states
   */
  public static Selection meant(String action, Selection selection) {
    Optional<JobState> only =
        switch (action) {
          case "jobs.release" -> Optional.of(JobState.LEASED);
          case "jobs.redrive", "jobs.delete" -> Optional.of(JobState.DEAD);
          default -> Optional.empty();
        };
    if (only.isEmpty()) {
      return selection;
    }
    if (!selection.filter().states().contains(only.get())) {
      throw new RefusedException(
          "action is for jobs in another state: action=%s, state=%s, given=%s"
              .formatted(action, only.get(), selection.filter().states()));
    }
    return new Selection(selection.filter().state(only.get()), selection.errorLine());
  }

  private void addQueues() {
    queue("queue.pause", "Serves no claims of a queue.", Changes::pause);
    queue("queue.resume", "Serves claims of a queue again.", Changes::resume);
    queue("queue.drain", "Refuses enqueues to a queue.", Changes::drain);
    queue("queue.end-drain", "Takes enqueues to a queue again.", Changes::endDrain);
    List<Field> purge = new ArrayList<>(QUEUE);
    purge.add(new Field(Filters.STATE, "a state of the jobs", true, true));
    add(
        "queue.purge",
        "Removes all jobs of a queue in these states.",
        purge,
        (changes, given) -> {
          given.required(Filters.STATE);
          long count = changes.purge(queue(given), Filters.states(given.all(Filters.STATE)));
          return new Outcome("PURGED " + count, true);
        });
    List<Field> settings = new ArrayList<>(QUEUE);
    settings.add(new Field("key", "the key of a setting", true));
    settings.add(new Field("value", "its value; empty for what holds by default", false));
    add(
        "queue.configure",
        "Changes one of a queue's own settings.",
        settings,
        (changes, given) -> {
          changes.configure(
              queue(given), Map.of(given.required("key"), given.given("value").orElse("")));
          return new Outcome("CONFIGURED", true);
        });
    add(
        "queue.delete",
        "Deletes a queue with all its jobs.",
        QUEUE,
        (changes, given) -> there(changes.deleteQueue(queue(given)), "DELETED"));
  }

  /** A change of a queue that has no result. */
  private interface QueueChange {
    void make(Changes changes, QueueName queue);
  }

  private void queue(String name, String summary, QueueChange change) {
    add(
        name,
        summary,
        QUEUE,
        (changes, given) -> {
          change.make(changes, queue(given));
          return new Outcome("DONE", true);
        });
  }

  private void addOthers() {
    add(
        "batch.cancel",
        "Cancels a batch with all its jobs.",
        List.of(new Field("batch", "the id of the batch", true)),
        (changes, given) -> {
          BatchId id = given.read("batch", BatchId::parse);
          return new Outcome("JOBS " + changes.cancelBatch(id), true);
        });
    add(
        "schedule.pause",
        "Lets a schedule make no more jobs.",
        SCHEDULE,
        (changes, given) -> there(changes.pauseSchedule(given.required("schedule")), "PAUSED"));
    add(
        "schedule.resume",
        "Lets a schedule go on.",
        SCHEDULE,
        (changes, given) -> there(changes.resumeSchedule(given.required("schedule")), "RESUMED"));
    add(
        "schedule.run",
        "Makes a job of a schedule at once.",
        SCHEDULE,
        (changes, given) ->
            changes
                .runSchedule(given.required("schedule"))
                .map(job -> new Outcome("JOB " + job, true))
                .orElse(there(false, "")));
    add(
        "engine.backup",
        "Writes a copy of the store into an empty or absent folder of the engine's machine.",
        List.of(new Field("folder", "the folder", true)),
        (changes, given) -> {
          changes.backup(folder(given));
          return new Outcome("BACKED UP", true);
        });
    add(
        "engine.reopen",
        "Opens the store again after a failure.",
        List.of(),
        (changes, given) -> {
          changes.reopen();
          return new Outcome("REOPENED", true);
        });
  }

  private void add(String name, String summary, List<Field> fields, Action.Doing doing) {
    actions.put(name, new Action(name, summary, List.copyOf(fields), doing));
  }

  private static Outcome there(boolean is, String word) {
    return is ? new Outcome(word, true) : new Outcome("NOT THERE", false);
  }

  private static JobId id(Parameters given) {
    return given.read("id", JobId::parse);
  }

  /**
   * Reads the name of a queue.
   *
   * @throws RefusedException it is none
   */
  public static QueueName queue(Parameters given) {
    String tenant = given.text("tenant").orElse("");
    return given.read("queueName", name -> new QueueName(name, tenant));
  }

  private static Instant instant(Parameters given, String name) {
    String text = given.required(name);
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new RefusedException(
          "parameter is no instant: name=%s, value=%s, such as=2030-01-31T12:00:00Z"
              .formatted(name, text));
    }
  }

  private static Path folder(Parameters given) {
    try {
      return Path.of(given.required("folder")).toAbsolutePath();
    } catch (InvalidPathException e) {
      throw new RefusedException("parameter is no path: name=folder, reason=" + e.getMessage());
    }
  }

  private static UpdateOptions update(Parameters given) {
    UpdateOptions changes = UpdateOptions.NOTHING;
    Optional<String> priority = given.text("priority");
    if (priority.isPresent()) {
      changes = changes.priority(given.number("priority", 0, Byte.MIN_VALUE, Byte.MAX_VALUE));
    }
    Optional<byte[]> payload =
        given.given("payload").map(it -> it.getBytes(StandardCharsets.UTF_8));
    return payload.isPresent() ? changes.payload(payload.get()) : changes;
  }
}
