package io.millrace.model.outage;

import io.millrace.api.Durability;
import io.millrace.api.EngineOptions.ClaimsAnswer;
import io.millrace.api.EngineOptions.LeasesAtOpen;
import io.millrace.api.JobState;
import io.millrace.model.history.JobShape;
import io.millrace.model.history.Op.Ending;
import io.millrace.model.history.Op.Field;
import io.millrace.model.history.Op.Sweep;
import io.millrace.model.outage.SeededHistory.Content;
import io.millrace.model.outage.SeededStep.Arm;
import io.millrace.model.outage.SeededStep.Ask;
import io.millrace.model.outage.SeededStep.Check;
import io.millrace.model.outage.SeededStep.End;
import io.millrace.model.outage.SeededStep.MakeRoom;
import io.millrace.model.outage.SeededStep.Pass;
import io.millrace.model.outage.SeededStep.Revival;
import io.millrace.model.outage.SeededStep.Stop;
import io.millrace.model.rig.Setup;
import io.millrace.model.seeds.Mishap;
import io.millrace.model.seeds.Mishap.Kind;
import io.millrace.spi.StoreInfo.Syncing;
import io.millrace.spi.testkit.FaultyStore.Room;
import io.millrace.spi.testkit.StoreCall;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** Makes a history of a seed. */
final class SeededHistories {

  private static final int ROUND_COUNT_LEAST = 5;
  private static final int ROUND_COUNT_MORE = 12;
  private static final int TOGETHER_MAX = 6;
  private static final int ONE_LEASE = 7;

  private final Content content;
  private final SplittableRandom random;
  private final SeededSetup setup;
  private final List<SeededStep> steps = new ArrayList<>();

  private SeededHistories(long seed, Content content) {
    this.content = content;
    this.random = new SplittableRandom(seed);
    this.setup =
        new SeededSetup(
            oneOf(Durability.SYNCED, Durability.SYNCED, Durability.BUFFERED),
            oneOf(
                ClaimsAnswer.BEFORE_COMMIT, ClaimsAnswer.BEFORE_COMMIT, ClaimsAnswer.AFTER_COMMIT),
            oneOf(LeasesAtOpen.RECLAIM, LeasesAtOpen.RECLAIM, LeasesAtOpen.HONOUR),
            oneOf(Setup.Loading.values()),
            oneOf(Syncing.values()),
            oneOf(50, 5_000));
  }

  static SeededHistory of(long seed) {
    return of(seed, Content.JOBS);
  }

  static SeededHistory of(long seed, Content content) {
    SeededHistories histories = new SeededHistories(seed, content);
    histories.addSteps();
    return new SeededHistory(seed, content, histories.setup, List.copyOf(histories.steps));
  }

  private void addSteps() {
    int rounds = ROUND_COUNT_LEAST + random.nextInt(ROUND_COUNT_MORE);
    addCalls();
    for (int i = 0; i < rounds; i++) {
      if (isOneIn(4)) {
        arm();
      }
      int kind = random.nextInt(20);
      if (kind < 14) {
        addCalls();
      } else if (kind < 17) {
        steps.add(new Pass(oneOf(1, 2, 5, 10, 30, 60)));
      } else if (kind == 17) {
        End end = oneOf(End.CLOSED, End.DEATH, End.POWER_CUT);
        steps.add(new Stop(end, revival(end)));
      } else if (kind == 18) {
        steps.add(
            new MakeRoom(
                oneOf(
                    Room.FOR_RESERVE_USERS,
                    Room.FOR_ALL,
                    areKeyed() ? Room.FOR_RESERVE_USERS : Room.FOR_NONE)));
      } else {
        steps.add(new Check());
      }
    }
  }

  private void arm() {
    int count = isOneIn(4) ? 2 : 1;
    for (int i = 0; i < count; i++) {
      End end = oneOf(End.REOPENED, End.REOPENED, End.DEATH, End.POWER_CUT);
      steps.add(new Arm(mishap(kinds()), revival(end)));
    }
  }

  private Kind[] kinds() {
    return areKeyed()
        ? EnumSet.complementOf(EnumSet.of(Kind.SLOW)).toArray(Kind[]::new)
        : Kind.values();
  }

  private boolean areKeyed() {
    return content == Content.KEYS;
  }

  private Mishap mishap(Kind[] kinds) {
    StoreCall call = oneOf(StoreCall.WRITE, StoreCall.WRITE, StoreCall.SYNC);
    int index = oneOf(0, 0, 0, 1, 2);
    Kind kind = oneOf(kinds);
    return new Mishap(call, areKeyed() && kind == Kind.FULL ? 0 : index, kind, oneOf(1, 2, 10));
  }

  private Revival revival(End end) {
    List<List<Mishap>> mishaps = new ArrayList<>();
    while (mishaps.size() < 3 && isOneIn(3)) {
      mishaps.add(List.of(mishapInOpening(end)));
    }
    return new Revival(end, mishaps);
  }

  /** An opening that is slow is not told from one that begins later. */
  private Mishap mishapInOpening(End end) {
    Kind[] sameProcess = {Kind.FAILS_BEFORE, Kind.FAILS_IN_THE_MIDDLE, Kind.FAILS_AFTER, Kind.FULL};
    Kind[] newProcess = {
      Kind.FAILS_BEFORE,
      Kind.FAILS_IN_THE_MIDDLE,
      Kind.FAILS_AFTER,
      Kind.FULL,
      Kind.POWER_CUT_BEFORE,
      Kind.POWER_CUT_AFTER,
      Kind.DEATH_BEFORE,
      Kind.DEATH_AFTER
    };
    return mishap(end == End.REOPENED ? sameProcess : newProcess);
  }

  private void addCalls() {
    int count = isOneIn(3) ? 1 : 1 + random.nextInt(TOGETHER_MAX);
    for (int i = 0; i < count; i++) {
      steps.add(new Ask(call(), i > 0));
    }
  }

  private SeededCall call() {
    if (areKeyed() && isOneIn(6)) {
      return ofQueueLease();
    }
    int kind = random.nextInt(100);
    if (kind < 26) {
      return new SeededCall.Enqueue(queue(), oneOf(1, 1, 1, 2, 5), shape(), level());
    } else if (kind < 46) {
      return claim();
    } else if (kind < 49) {
      return new SeededCall.Wait(
          queue(), random.nextInt(3), oneOf(1, 1, 3), oneOf(1, 10, 60), level());
    } else if (kind < 76) {
      return finish();
    } else if (kind < 82) {
      return namedChange();
    } else if (kind < 92) {
      return namedEnd();
    }
    return ofQueue();
  }

  private SeededCall ofQueueLease() {
    int lease = random.nextInt(3);
    return switch (random.nextInt(12)) {
      case 0, 1, 2, 3, 4 ->
          new SeededCall.LeaseQueue(queue(), random.nextInt(3), oneOf(1, 2, 5, 30));
      case 5, 6, 7 -> new SeededCall.QueueClaim(lease, oneOf(1, 2, 5));
      case 8 -> new SeededCall.QueueExtend(lease, oneOf(1, 5, 30));
      case 9, 10 -> new SeededCall.QueueClose(lease);
      default -> new SeededCall.EndQueueLease(queue());
    };
  }

  private SeededCall claim() {
    int queues = !areKeyed() && isOneIn(8) ? random.nextInt(4) : 1 << queue();
    return new SeededCall.Claim(
        queues, random.nextInt(3), oneOf(1, 1, 1, 2, 5), oneOf(0, 0, 1, 7, 60), level());
  }

  private SeededCall finish() {
    if (isOneIn(6)) {
      List<Integer> leases = new ArrayList<>();
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        leases.add(random.nextInt(ONE_LEASE));
      }
      Ending ending =
          oneOf(
              Ending.COMPLETE, Ending.FAIL, Ending.FAIL_PERMANENTLY, Ending.RELEASE, Ending.EXTEND);
      return new SeededCall.FinishMany(ending, leases, seconds());
    }
    Ending ending =
        oneOf(
            Ending.COMPLETE,
            Ending.COMPLETE,
            Ending.COMPLETE,
            Ending.FAIL,
            Ending.FAIL,
            Ending.FAIL_PERMANENTLY,
            Ending.FAIL_WITH_DELAY,
            Ending.RELEASE,
            Ending.SNOOZE_FOR,
            Ending.SNOOZE_UNTIL,
            Ending.SNOOZE_UNTIL_PAST,
            Ending.EXTEND,
            Ending.CHECKPOINT);
    int lease = isOneIn(3) ? random.nextInt(20) : random.nextInt(3);
    return new SeededCall.Finish(ending, lease, seconds(), level());
  }

  private SeededCall namedChange() {
    int job = random.nextInt(10);
    if (isOneIn(2)) {
      return new SeededCall.Reschedule(job, oneOf(-5, 0, 1, 5, 30));
    }
    Set<Field> fields = EnumSet.noneOf(Field.class);
    for (int i = random.nextInt(4); i > 0; i--) {
      fields.add(oneOf(Field.values()));
    }
    return new SeededCall.Update(job, fields, shape());
  }

  private SeededCall namedEnd() {
    int job = random.nextInt(10);
    return switch (random.nextInt(6)) {
      case 0, 1 -> new SeededCall.Cancel(job, level());
      case 2 -> new SeededCall.RequestCancel(random.nextInt(4));
      case 3, 4 -> new SeededCall.Redrive(job);
      default -> new SeededCall.DeleteDead(job);
    };
  }

  private SeededCall ofQueue() {
    int queue = queue();
    return switch (random.nextInt(10)) {
      case 0 -> new SeededCall.SweepDead(Sweep.REDRIVE, queue);
      case 1 -> new SeededCall.SweepDead(Sweep.DELETE, queue);
      case 2, 3 ->
          new SeededCall.Configure(
              queue, oneOf(0, 2, 20), oneOf(0, 0, 4), isOneIn(2), oneOf(0, 3, 20), oneOf(0, 3, 20));
      case 4 -> new SeededCall.Serve(queue, true);
      case 5 -> new SeededCall.Serve(queue, false);
      case 6 -> new SeededCall.Drain(queue, isOneIn(3));
      case 7, 8 ->
          new SeededCall.Purge(
              queue,
              oneOf(
                  areKeyed() ? JobState.BLOCKED : JobState.READY,
                  JobState.DELAYED,
                  JobState.DEAD,
                  JobState.DONE));
      default ->
          areKeyed() ? new SeededCall.Serve(queue, false) : new SeededCall.DeleteQueue(queue);
    };
  }

  private JobShape shape() {
    return new JobShape(
        oneOf(0, 0, 0, 1, -1, 127, -128),
        oneOf(
            JobShape.Visible.NOW,
            JobShape.Visible.NOW,
            JobShape.Visible.NOW,
            JobShape.Visible.AFTER_DELAY,
            JobShape.Visible.AT_INSTANT,
            JobShape.Visible.AT_PAST_INSTANT),
        seconds(),
        1 + random.nextInt(3),
        random.nextInt(JobShape.BACKOFFS.size()),
        oneOf(0, 0, 3, 40),
        oneOf(1, 1, 3),
        oneOf(0, 0, 0, 1, 2),
        oneOf(4, 4, 30, 900, 3_000),
        oneOf(0, 0, 0, 3, 20),
        oneOf(0, 0, 0, 3, 60),
        oneOf(0, 0, 1 + random.nextInt(JobShape.UNIQUE_KEYS.size())),
        areKeyed() ? oneOf(0, 1, 2, 4, 4, 5, 7, 7, 10) : 0);
  }

  /** Mostly the engine's own. */
  private Durability level() {
    return isOneIn(4) ? oneOf(Durability.values()) : setup.durability();
  }

  /** Mostly the first, so that things meet there. */
  private int queue() {
    return isOneIn(4) ? 1 : 0;
  }

  private int seconds() {
    return oneOf(1, 2, 5, 10, 30);
  }

  private boolean isOneIn(int count) {
    return random.nextInt(count) == 0;
  }

  @SafeVarargs
  private <T> T oneOf(T... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
