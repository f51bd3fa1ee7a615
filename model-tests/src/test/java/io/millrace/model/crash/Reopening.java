package io.millrace.model.crash;

import io.millrace.api.Durability;
import io.millrace.api.JobState;
import io.millrace.model.crash.Findings.Figure;
import io.millrace.model.crash.Journal.Line;
import io.millrace.model.crash.JournalCheck.AskedClaim;
import io.millrace.model.crash.LastMoment.Range;
import io.millrace.model.crash.Look.Place;
import io.millrace.model.crash.Look.Span;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What had become, when a store was opened again, of all that was asked for before.
 *
 * <p>Of the steps of each job the first few happened and the others did not: how many is told by
 * how the job is found. What was promised is among them, or it is lost. And what happened to all
 * jobs together is a prefix of what was asked for: there is a {@link LastMoment}.
 */
final class Reopening {

  /** How the process ended. */
  enum Ending {
    CLEAN,
    KILLED,
    POWER_CUT
  }

  private final Findings findings;
  private final OrderCheck order;
  private final Map<JobStory, List<Found>> found = new HashMap<>();
  private final List<Ending> endings = new ArrayList<>();
  private Span when = Span.UNKNOWN;
  private long cutUs;
  private long promisedBeforeUs;

  Reopening(Findings findings, OrderCheck order) {
    this.findings = findings;
    this.order = order;
  }

  /** A job in the store; a delayed one will come to its line later. */
  private record Found(Look look, boolean isDelayed) {
    static final Found NOTHING = new Found(Look.ABSENT, false);
  }

  /** One way in which it may have been: so many steps happened, and the job looks like this now. */
  private record Way(int count, Look look, Range range, boolean hasUntoldClaim) {}

  /** The moments to which a job agrees. */
  private record Vote(JobStory story, List<Step> steps, Found found, List<Way> ways) {}

  /** The store is opened, maybe once more: what was found before it died again was not all. */
  void begin(long number) {
    found.clear();
    when = Span.since(Math.max(when.after(), number));
  }

  void end(Line line) {
    Ending ending = Ending.valueOf(line.fact(0));
    endings.add(ending);
    if (ending == Ending.POWER_CUT) {
      cutUs = line.us();
      promisedBeforeUs = cutUs - Long.parseLong(line.fact(1));
    }
  }

  void found(JobStory story, Line line) {
    JobState state = JobState.valueOf(line.fact(1));
    Place place =
        switch (state) {
          case READY, DELAYED -> Place.WAITING;
          case DEAD -> Place.DEAD;
          case DONE -> Place.DONE;
          default -> Place.LEASED;
        };
    int attempts = Integer.parseInt(line.fact(2));
    int version = Integer.parseInt(line.fact(3));
    Look look = new Look(place, attempts, version, false, Span.UNKNOWN);
    found
        .computeIfAbsent(story, key -> new ArrayList<>())
        .add(new Found(look, state == JobState.DELAYED));
  }

  /** Judges all jobs; the line of this number ends what was found. */
  void settle(Collection<JobStory> stories, Collection<AskedClaim> openClaims, long number) {
    when = new Span(when.after(), number);
    List<Vote> votes = new ArrayList<>();
    LastMoment moment = new LastMoment();
    for (JobStory story : stories) {
      List<Found> all = found.getOrDefault(story, List.of());
      if (all.size() > 1) {
        findings.add(Finding.DUPLICATED, story.name + " is there " + all.size() + " times");
      }
      if (story.isOpen() || !all.isEmpty()) {
        Vote vote = vote(story, all.isEmpty() ? Found.NOTHING : all.get(0), openClaims);
        votes.add(vote);
        if (!vote.ways().isEmpty()) {
          moment.add(vote.ways().stream().map(Way::range).toList());
        }
      }
    }
    List<Range> likely = moment.likely();
    SharedCalls calls = new SharedCalls();
    int untoldClaims = 0;
    for (Vote vote : votes) {
      untoldClaims += settle(vote, likely, calls) ? 1 : 0;
    }
    int untoldClaimsMax = openClaims.stream().mapToInt(AskedClaim::max).sum();
    if (untoldClaims > untoldClaimsMax) {
      findings.add(Finding.WRONG_ATTEMPT, untoldClaims + " starts that nobody asked for");
    }
  }

  private Vote vote(JobStory story, Found seen, Collection<AskedClaim> openClaims) {
    List<Step> steps = story.allSteps();
    int promised = 0;
    for (int i = 0; i < steps.size(); i++) {
      promised = isPromised(steps.get(i)) ? i + 1 : promised;
    }
    List<Way> ways = new ArrayList<>();
    Look look = story.base;
    for (int count = 0; count <= steps.size(); count++) {
      if (count > 0) {
        Step step = steps.get(count - 1);
        look = look.after(step.op, story.name, step.when());
      }
      Look now = look.afterStop(isClean(), when);
      Range range = range(steps, count);
      if (count >= promised && now.isLike(seen.look()) && !range.isEmpty()) {
        ways.add(new Way(count, now, range, false));
      }
      boolean isCancelLeft = count == steps.size() - 1 && story.cancel != null;
      if (look.place() == Place.WAITING && (count == steps.size() || isCancelLeft)) {
        addUntoldClaim(ways, new Way(count, look, range, true), story, seen, openClaims);
      }
    }
    return new Vote(story, steps, seen, ways);
  }

  /** Adds that the job was claimed last by somebody who did not live to write it down. */
  private void addUntoldClaim(
      List<Way> ways, Way before, JobStory story, Found seen, Collection<AskedClaim> openClaims) {
    String queue = Workload.queueOf(story.name);
    for (AskedClaim claim : openClaims) {
      Look claimed = before.look().after(Op.CLAIM, story.name, Span.since(claim.asked()));
      Look now = claimed.afterStop(isClean(), when);
      if (claim.queues().contains(queue) && now.isLike(seen.look())) {
        ways.add(new Way(before.count(), now, before.range().since(claim.asked()), true));
        return;
      }
    }
  }

  private boolean isClean() {
    return endings.isEmpty() || endings.get(0) == Ending.CLEAN;
  }

  /** Whether the step must have happened, as it was answered. */
  private boolean isPromised(Step step) {
    if (!step.isPromised()) {
      return false;
    }
    boolean isCut = endings.contains(Ending.POWER_CUT);
    // What is answered while the power goes may be answered by what forgets it.
    long before = step.level == Durability.SYNCED ? cutUs : promisedBeforeUs;
    return !isCut || step.toldUs < before;
  }

  private static Range range(List<Step> steps, int count) {
    long start = 0;
    long end = Step.NEVER;
    for (int i = 0; i < steps.size(); i++) {
      if (i < count) {
        start = Math.max(start, steps.get(i).asked);
      } else {
        end = Math.min(end, steps.get(i).told);
      }
    }
    return new Range(start, end);
  }

  /** Settles one job; whether it had been claimed by somebody who was not told. */
  private boolean settle(Vote vote, List<Range> likely, SharedCalls calls) {
    if (vote.ways().isEmpty()) {
      mismatch(vote);
      restart(vote, vote.found().look());
      return false;
    }
    long last = likely.get(likely.size() - 1).endExclusive() - 1;
    List<Way> agreeing = vote.ways().stream().filter(way -> way.range().contains(last)).toList();
    if (agreeing.isEmpty()) {
      findings.add(
          Finding.PREFIX_BROKEN,
          vote.story().name + " is " + vote.found().look() + ", others are as of line " + last);
      agreeing = vote.ways();
    }
    Way way = agreeing.get(agreeing.size() - 1);
    count(vote, way);
    calls.add(vote, agreeing);
    restart(vote, way.look().cameAt(came(vote, likely)));
    return agreeing.stream().allMatch(Way::hasUntoldClaim);
  }

  /** Returns when the job may have come to its line, whichever likely moment was the last one. */
  private static Span came(Vote vote, List<Range> likely) {
    return vote.ways().stream()
        .filter(way -> likely.stream().anyMatch(way.range()::meets))
        .map(way -> way.look().line())
        .reduce(Span::or)
        .orElse(Span.UNKNOWN);
  }

  private void count(Vote vote, Way way) {
    for (int i = 0; i < vote.steps().size(); i++) {
      Step step = vote.steps().get(i);
      boolean hasHappened = i < way.count();
      if (step.told == Step.NEVER) {
        findings.count(hasHappened ? Figure.RECOVERED : Figure.UNDONE, 1);
      } else if (!hasHappened && step.op != Op.CLAIM) {
        findings.count(Figure.UNSYNCED_LOST, 1);
        long ageUs = Math.max(0, cutUs - step.toldUs);
        findings.raise(Figure.UNSYNCED_LOST_MS_MAX, ageUs / 1_000);
        vote.story().completedCount -= step.op == Op.COMPLETE ? 1 : 0;
      }
    }
  }

  /** The job goes on as it was found. */
  private void restart(Vote vote, Look look) {
    JobStory story = vote.story();
    if (look.place() != Place.WAITING) {
      story.restart(look);
      return;
    }
    boolean isDelayed = vote.found().isDelayed();
    Span came =
        isDelayed
            ? Span.since(when.after())
            : new Span(look.line().after(), Math.min(look.line().before(), when.before()));
    story.restart(look.cameAt(came));
    if (!isDelayed) {
      story.stay = order.stay(story.name, came, when.before());
    }
  }

  /** A job that is in no way what it may be. */
  private void mismatch(Vote vote) {
    JobStory story = vote.story();
    Look look = story.base;
    for (Step step : vote.steps()) {
      look = look.after(step.op, story.name, step.when());
    }
    Look expected = look.afterStop(isClean(), when);
    Look seen = vote.found().look();
    String what = story.name + " is " + seen + ", and not " + expected;
    if (!story.isAsked) {
      return; // It is unexpected, which was noted when it was found.
    }
    if (seen.place() == Place.ABSENT) {
      findings.add(Finding.LOST, what);
    } else if (expected.place() == Place.ABSENT || expected.place() == Place.DONE) {
      findings.add(Finding.REDELIVERED, what);
    } else if (seen.place() != expected.place()) {
      findings.add(Finding.WRONG_STATE, what);
    } else if (seen.version() != expected.version()) {
      findings.add(Finding.WRONG_PAYLOAD, what);
    } else {
      findings.add(Finding.WRONG_ATTEMPT, what);
    }
  }

  /** Calls about several jobs, which happen to all of them or to none. */
  private final class SharedCalls {
    private final Map<String, Boolean> hasHappened = new HashMap<>();

    void add(Vote vote, List<Way> ways) {
      for (int i = 0; i < vote.steps().size(); i++) {
        int index = i;
        boolean isSure = ways.stream().allMatch(way -> way.count() > index);
        boolean isLost = ways.stream().allMatch(way -> way.count() <= index);
        Step step = vote.steps().get(i);
        if ((isSure || isLost) && step.op != Op.CLAIM) {
          Boolean others = hasHappened.put(step.op + " " + step.call, isSure);
          if (others != null && others != isSure) {
            findings.add(Finding.TORN_CALL, step.call + " at " + vote.story().name);
          }
        }
      }
    }
  }
}
