package io.millrace.worker;

import io.millrace.api.Codec;
import io.millrace.api.CodecException;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.options.Checks;
import io.millrace.worker.Schedule.Missed;
import io.millrace.worker.Schedule.Overlap;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The codec of the rows of schedules: a version, then fields. A value that a row does not have has
 * no field. On disk, never change.
 *
 * <pre>
 *  offset 0  1 byte  version, 1
 *         1          fields
 *
 *   1  cron expression            6  overlap: 1 if skipped       16  owner
 *   2  zone of it                 7  jitter, ms                  17  next instant, epoch ms
 *   3  period, ms                 8  name of the queue           18  tick job, text of its id
 *   4  begin of it, epoch ms      9  its tenant                  19  last instant, epoch ms
 *   5  missed: 0 skip,           10  payload                     20  last job, text of its id
 *      n the newest n; once has   32 to 63  options of the job    21  last job on demand, likewise
 *      no field                                                  22  instants that had their turn,
 *                                                                    first and last of each
 *                                                                    stretch; without it, all up
 *                                                                    to the last
 * </pre>
 */
final class ScheduleCodec implements Codec<ScheduleRow> {

  static final byte VERSION = 1;

  static final int CRON = 1;
  static final int ZONE = 2;
  private static final int PERIOD = 3;
  private static final int BEGIN = 4;
  private static final int MISSED = 5;
  private static final int OVERLAP = 6;
  private static final int JITTER = 7;
  static final int QUEUE = 8;
  static final int TENANT = 9;
  private static final int PAYLOAD = 10;

  /** The latest begin, about the year 10000: sums with it do not overflow. */
  private static final long BEGIN_MOST_MS = 1L << 48;

  @Override
  public byte[] encode(ScheduleRow row) {
    FieldWriter out = new FieldWriter();
    write(out, row.plan());
    row.state().write(out);
    return versioned(out);
  }

  /** Returns the fields, behind the version. */
  static byte[] versioned(FieldWriter out) {
    byte[] fields = out.toBytes();
    byte[] bytes = new byte[1 + fields.length];
    bytes[0] = VERSION;
    System.arraycopy(fields, 0, bytes, 1, fields.length);
    return bytes;
  }

  /** Returns the bytes of the plan alone, to be compared. */
  static byte[] planBytes(SchedulePlan plan) {
    FieldWriter out = new FieldWriter();
    write(out, plan);
    return out.toBytes();
  }

  private static void write(FieldWriter out, SchedulePlan plan) {
    if (plan.times() instanceof CronTimes cron) {
      out.text(CRON, cron.expression().toString());
      out.text(ZONE, cron.zone().getId());
    } else {
      PeriodTimes period = (PeriodTimes) plan.times();
      out.number(PERIOD, period.periodMs());
      out.number(BEGIN, period.beginMs());
    }
    if (!(plan.missed() instanceof Missed.RunOnce)) {
      out.number(MISSED, plan.missed() instanceof Missed.All all ? all.most() : 0);
    }
    if (plan.overlap() == Overlap.SKIP) {
      out.number(OVERLAP, 1);
    }
    if (plan.jitterMs() > 0) {
      out.number(JITTER, plan.jitterMs());
    }
    out.text(QUEUE, plan.queue().name());
    out.text(TENANT, plan.queue().tenant());
    out.bytes(PAYLOAD, plan.job().payload());
    OptionsFields.write(out, plan.job().options());
  }

  @Override
  public ScheduleRow decode(byte[] bytes) {
    if (bytes.length == 0 || bytes[0] != VERSION) {
      throw new CodecException(
          "bytes are no schedule of version %s: length=%s, version=%s; a newer Millrace wrote it"
              .formatted(VERSION, bytes.length, bytes.length == 0 ? 0 : bytes[0]));
    }
    byte[] fields = new byte[bytes.length - 1];
    System.arraycopy(bytes, 1, fields, 0, fields.length);
    try {
      return new Read().all(new FieldReader(fields));
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new CodecException("bytes are no schedule: " + e.getMessage(), e);
    }
  }

  /** The values of one row that have been read so far. */
  private static final class Read {

    private @Nullable String cron;
    private @Nullable String zone;
    private @Nullable Duration period;
    private long beginMs;
    private Missed missed = Missed.RUN_ONCE;
    private Overlap overlap = Overlap.ALLOW;
    private Duration jitter = Duration.ZERO;
    private String queue = "";
    private String tenant = "";
    private byte[] payload = {};
    private final OptionsFields options = new OptionsFields();
    private ScheduleState state = ScheduleState.NONE;

    ScheduleRow all(FieldReader in) {
      while (in.next()) {
        if (in.tag() >= OptionsFields.TAG_LEAST && in.tag() <= OptionsFields.TAG_MOST) {
          options.read(in);
        } else if (ScheduleState.isKnown(in.tag())) {
          state = state.read(in);
        } else {
          readPlan(in);
        }
      }
      EnqueueOptions made = options.options();
      SchedulePlan plan =
          new SchedulePlan(
              times(),
              missed,
              overlap,
              jitter.toMillis(),
              new QueueName(queue, tenant),
              new NewJob(payload, made));
      return new ScheduleRow(plan, state, Optional.empty());
    }

    private void readPlan(FieldReader in) {
      switch (in.tag()) {
        case CRON -> cron = in.text();
        case ZONE -> zone = in.text();
        case PERIOD -> period = Duration.ofMillis(in.number());
        case BEGIN -> beginMs = Checks.inRange("begin", in.number(), -BEGIN_MOST_MS, BEGIN_MOST_MS);
        case MISSED -> missed = in.number() == 0 ? Missed.SKIP : Missed.all(in.small());
        case OVERLAP -> overlap = in.number() == 1 ? Overlap.SKIP : Overlap.ALLOW;
        case JITTER ->
            jitter = Checks.upTo("jitter", Duration.ofMillis(in.number()), Limits.DELAY_MAX);
        case QUEUE -> queue = in.text();
        case TENANT -> tenant = in.text();
        case PAYLOAD -> payload = in.bytes();
        default -> throw in.unknown();
      }
    }

    private Recurrence times() {
      if (cron != null && zone != null) {
        return new CronTimes(CronExpression.parse(cron), ZoneId.of(zone));
      }
      if (period == null) {
        throw new CodecException("bytes are no schedule: they have no times");
      }
      Checks.inRange("period", period, Schedule.PERIOD_LEAST, Limits.DELAY_MAX);
      return new PeriodTimes(period.toMillis(), beginMs);
    }
  }
}
