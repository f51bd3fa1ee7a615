package io.millrace.worker;

import static io.millrace.describe.Kind.DURATION;
import static io.millrace.describe.Kind.INSTANT;
import static io.millrace.describe.Kind.INT;
import static io.millrace.describe.Kind.JOB_ID;
import static io.millrace.describe.Kind.TEXT;

import io.millrace.api.Page;
import io.millrace.describe.Description;
import io.millrace.describe.Descriptions;
import io.millrace.describe.Kind;
import io.millrace.worker.Schedule.Missed;
import io.millrace.worker.management.RunningJobStatus;

/**
 * The descriptions of the values that a worker shows to tools, for the command line of this
 * version.
 */
@SuppressWarnings("exports") // whoever sees these sees descriptions: the command line has no module
public final class WorkerDescriptions {

  public static final Description<RunningJobStatus> RUNNING_JOB =
      Description.<RunningJobStatus>of(RunningJobStatus.class)
          .with("jobId", JOB_ID, RunningJobStatus::jobId)
          .told("job")
          .with("queue", Descriptions.QUEUE_NAME.spread(), RunningJobStatus::queue)
          .with("type", TEXT, RunningJobStatus::type)
          .with("attempt", INT, RunningJobStatus::attempt)
          .with("since", INSTANT, RunningJobStatus::since)
          .with("progress", Kind.DOUBLE, RunningJobStatus::progress)
          .with("text", TEXT, RunningJobStatus::text)
          .with("thread", TEXT, RunningJobStatus::thread)
          .with("stack", Kind.TEXTS_IF_ANY, RunningJobStatus::stack)
          .build();

  public static final Description<ScheduleStatus> SCHEDULE =
      Description.<ScheduleStatus>of(ScheduleStatus.class)
          .with("name", TEXT, ScheduleStatus::name)
          .told("schedule")
          .with("times", TEXT, ScheduleStatus::times)
          .with(
              "missed",
              Kind.text(Missed::toString, WorkerDescriptions::missed),
              ScheduleStatus::missed)
          .with("overlap", Kind.constantAsItIs(Schedule.Overlap.class), ScheduleStatus::overlap)
          .with("jitter", DURATION, ScheduleStatus::jitter)
          .with("queue", Descriptions.QUEUE_NAME.spread(), ScheduleStatus::queue)
          .maybe("type", TEXT, ScheduleStatus::type)
          .maybe("owner", TEXT, ScheduleStatus::owner)
          .maybe("next", INSTANT, ScheduleStatus::next)
          .maybe("last", INSTANT, ScheduleStatus::last)
          .maybe("lastJob", JOB_ID, ScheduleStatus::lastJob)
          .maybe("unreadable", TEXT, ScheduleStatus::unreadable)
          .build();

  public static final Description<Page<ScheduleStatus>> SCHEDULES =
      Descriptions.page("schedules", SCHEDULE.each());

  public static final Description<StopReport> STOP_REPORT =
      Description.<StopReport>of(StopReport.class)
          .with("finished", INT, StopReport::finished)
          .with("interrupted", INT, StopReport::interrupted)
          .with("released", INT, StopReport::released)
          .build();

  private WorkerDescriptions() {}

  private static Missed missed(String text) {
    return switch (text) {
      case "RUN_ONCE" -> Missed.RUN_ONCE;
      case "SKIP" -> Missed.SKIP;
      default -> Missed.all(Integer.parseInt(text.replaceAll("\\D", "")));
    };
  }
}
