package io.millrace.model.crash;

import io.millrace.api.Durability;
import io.millrace.model.crash.Findings.Figure;
import io.millrace.model.crash.Journal.Line;
import io.millrace.model.crash.Look.Place;
import io.millrace.model.crash.Op.Reply;
import io.millrace.model.crash.Reopening.Ending;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the journals of all processes that one store lived through, and finds what must not be.
 *
 * <p>Each process begins with a list of what it found in the store, which settles what had become
 * of all that was under way when the one before it ended: {@link Reopening}. From there on every
 * answer follows from what was answered before, for nobody asks for two things about a job at a
 * time; the cancel that races its job is the exception, and it comes last if it comes at all.
 */
final class JournalCheck {

  private final Findings findings = new Findings();
  private final OrderCheck order = new OrderCheck(findings);
  private final Map<String, JobStory> stories = new LinkedHashMap<>();
  private final Map<String, String> namesById = new HashMap<>();
  private final Map<String, AskedClaim> openClaims = new LinkedHashMap<>();

  /** By what they were asked for together with. */
  private final Map<String, List<Step>> enqueues = new HashMap<>();

  private final List<Line> wrongs = new ArrayList<>();
  private final Set<Long> tokens = new HashSet<>();
  private Reopening reopening = new Reopening(findings, order);
  private long latestToken;
  private long number;

  private JournalCheck() {}

  /**
   * A claim that is not answered.
   *
   * @param max how many jobs it may get
   * @param tokenBefore the highest token that was known when it was asked for
   */
  record AskedClaim(long asked, List<String> queues, int max, long tokenBefore) {}

  /** Reads all of one store, in order; the last process served all that was left. */
  static Findings check(List<Line> lines) {
    JournalCheck check = new JournalCheck();
    lines.forEach(check::read);
    check.end();
    return check.findings;
  }

  private void read(Line line) {
    number++;
    switch (line.event()) {
      case BEGIN -> reopening.begin(number);
      case FOUND -> found(line);
      case OBSERVED -> observed(line);
      case ASK -> ask(line);
      case TOLD -> told(line);
      case LEASED -> leased(line);
      case WRONG -> wrongs.add(line);
      case END -> ended(line);
    }
  }

  /** What an engine says that has just lost its disk is not held against it. */
  private void ended(Line line) {
    reopening.end(line);
    boolean isCut = Ending.valueOf(line.fact(0)) == Ending.POWER_CUT;
    for (Line wrong : wrongs) {
      if (!isCut || wrong.us() < line.us()) {
        findings.add(Finding.WRONG_ANSWER, wrong.text());
      }
    }
    wrongs.clear();
  }

  private JobStory story(String job) {
    return stories.computeIfAbsent(job, JobStory::new);
  }

  private void found(Line line) {
    String job = nameOf(line, line.fact(0));
    JobStory story = story(job);
    if (!story.isAsked) {
      findings.add(Finding.UNEXPECTED, line.text());
    }
    reopening.found(story, line);
  }

  /** The job's name; that of its id if the payload does not say or says another. */
  private String nameOf(Line line, String id) {
    String job = line.job();
    String known = namesById.getOrDefault(id, job);
    if (job.equals(Payload.DAMAGED) || !known.equals(job)) {
      findings.add(Finding.WRONG_PAYLOAD, "of " + known + ": " + line.text());
      return known;
    }
    identify(story(job), id);
    return job;
  }

  private void identify(JobStory story, String id) {
    if (story.id == null) {
      story.id = id;
      String other = namesById.put(id, story.name);
      if (other != null) {
        findings.add(Finding.NUMBER_REUSED, id + " of " + other + " and " + story.name);
      }
    } else if (!story.id.equals(id)) {
      findings.add(Finding.DUPLICATED, story.name + " is " + story.id + " and " + id);
    }
  }

  private void observed(Line line) {
    long problems = Long.parseLong(line.fact(0));
    if (problems > 0) {
      findings.add(Finding.VERIFY_PROBLEM, line.text());
    }
    for (AskedClaim claim : openClaims.values()) {
      claim.queues().forEach(queue -> order.endAll(queue, claim.asked()));
    }
    order.judge();
    reopening.settle(stories.values(), openClaims.values(), number);
    openClaims.clear();
    reopening = new Reopening(findings, order);
  }

  private void ask(Line line) {
    Op op = Op.valueOf(line.fact(0));
    if (op == Op.CLAIM) {
      List<String> queues = List.of(line.fact(1).split(","));
      int max = Integer.parseInt(line.fact(2));
      openClaims.put(line.job(), new AskedClaim(number, queues, max, latestToken));
      return;
    }
    JobStory story = story(line.job());
    Step step = new Step(op, number, Durability.valueOf(line.fact(1)), line.fact(2));
    if (op == Op.CANCEL) {
      story.cancel = step;
      if (story.stay != null) {
        story.stay.endAt(number);
      }
      return;
    }
    if (isEnqueue(op)) {
      enqueues.computeIfAbsent(step.call, key -> new ArrayList<>()).add(step);
      story.isAsked = true;
      findings.count(Figure.JOBS, 1);
    }
    // Whoever asks for the next thing knows how the last one ended.
    story.settle();
    if (op != Op.COMPLETE_AGAIN) {
      story.steps.add(step);
      story.pending = step;
    }
  }

  private void told(Line line) {
    Op op = Op.valueOf(line.fact(0));
    Reply told = Reply.valueOf(line.fact(1));
    if (op == Op.CLAIM) {
      if (told != Reply.UNKNOWN) {
        openClaims.remove(line.job());
      }
      return;
    }
    findings.count(Figure.ANSWERS, 1);
    JobStory story = story(line.job());
    if (op == Op.COMPLETE_AGAIN) {
      if (told == Reply.OK) {
        findings.add(Finding.COMPLETED_TWICE, line.text());
      }
      return;
    }
    Step step = story.step(op, line.fact(2));
    if (step == null) {
      findings.add(Finding.WRONG_ANSWER, "to what was not asked for: " + line.text());
    } else if (told == Reply.REFUSED || told == Reply.NOTHING) {
      nothing(story, step, line);
    } else if (told != Reply.UNKNOWN) {
      done(story, step, line);
    }
  }

  /**
   * Nothing happened. An engine that is open must have a reason: the job was cancelled meanwhile,
   * or could not be cancelled.
   */
  private void nothing(JobStory story, Step step, Line line) {
    boolean isClosed = Reply.valueOf(line.fact(1)) == Reply.REFUSED;
    boolean hasReason = isClosed || (story.cancel != null && !isLeaseOp(step.op));
    boolean hasHappened = story.cancel == null && step != story.pending;
    if (!hasReason || hasHappened) {
      findings.add(Finding.WRONG_ANSWER, "as " + story.look + ": " + line.text());
    }
    story.drop(step);
  }

  private static boolean isLeaseOp(Op op) {
    return switch (op) {
      case COMPLETE, FAIL, FAIL_FOR_GOOD, RELEASE, SNOOZE, CHECKPOINT, REQUEST_CANCEL -> true;
      default -> false;
    };
  }

  private void done(JobStory story, Step step, Line line) {
    boolean isUnderWay = story.pending == step;
    step.isAnswered = true;
    if (step.told == Step.NEVER) {
      step.told = number;
      step.toldUs = line.us();
    }
    if (isUnderWay) {
      story.settle();
    }
    if (step.op == Op.CANCEL) {
      cancelled(story, line);
    } else if (step.before != null) {
      checkAnswer(step.before, step, line);
    }
    if (isEnqueue(step.op)) {
      identify(story, line.fact(3));
    }
    if (step.op == Op.COMPLETE && ++story.completedCount > 1) {
      findings.add(Finding.COMPLETED_TWICE, line.text());
    }
    boolean isInLine = isIntoLine(step.op) && story.look.place() == Place.WAITING;
    if (isUnderWay && isInLine && story.cancel == null) {
      story.stay = order.stay(story.name, story.look.line(), number);
    }
  }

  /** Whether the job is in its line at once: of one that is delayed nobody knows when it comes. */
  private static boolean isIntoLine(Op op) {
    return op == Op.ENQUEUE || op == Op.RELEASE || op == Op.REDRIVE || op == Op.RESCHEDULE;
  }

  private void checkAnswer(Look before, Step step, Line line) {
    if (!before.allows(step.op)) {
      boolean isEnded = before.place() == Place.ABSENT && !isEnqueue(step.op);
      findings.add(
          isEnded ? Finding.REDELIVERED : Finding.WRONG_STATE, before + ": " + line.text());
    } else if (Reply.valueOf(line.fact(1)) != before.answer(step.op)) {
      findings.add(Finding.WRONG_ANSWER, before + ": " + line.text());
    }
  }

  /** It may have passed what is under way, but what was answered came before it. */
  private void cancelled(JobStory story, Line line) {
    boolean mayWait = story.pending != null || story.look.allows(Op.CANCEL);
    if (!mayWait) {
      findings.add(Finding.WRONG_STATE, story.look + ": " + line.text());
    }
    story.settle();
    story.look = Look.ABSENT;
  }

  private void leased(Line line) {
    findings.count(Figure.SERVED, 1);
    AskedClaim claim = openClaims.get(line.fact(0));
    JobStory story = story(nameOf(line, line.fact(1)));
    if (claim == null) {
      findings.add(Finding.WRONG_ANSWER, "to no claim: " + line.text());
      return;
    }
    checkToken(claim, line);
    if (!story.isOpen()) {
      findings.add(story.isAsked ? Finding.REDELIVERED : Finding.UNEXPECTED, line.text());
      return;
    }
    boolean isEnqueueUnderWay = story.pending != null && isEnqueue(story.pending.op);
    Step enqueue = isEnqueueUnderWay ? story.pending : null;
    story.settle();
    checkLook(story, line);
    if (enqueue != null) {
      // A claim promises as much of the enqueue as the enqueue's own answer, and all its jobs came
      // together.
      for (Step sibling : enqueues.getOrDefault(enqueue.call, List.of(enqueue))) {
        if (sibling.told == Step.NEVER) {
          sibling.told = number;
          sibling.toldUs = line.us();
        }
      }
    }
    if (story.stay != null) {
      story.stay.endAt(claim.asked());
      story.stay = null;
    }
    Step step = new Step(Op.CLAIM, claim.asked(), Durability.BUFFERED, line.fact(0));
    step.told = number;
    step.toldUs = line.us();
    order.serve(story.name, story.look.line(), step.when());
    story.steps.add(step);
    story.look = story.look.after(Op.CLAIM, story.name, step.when());
  }

  private static boolean isEnqueue(Op op) {
    return op == Op.ENQUEUE || op == Op.ENQUEUE_LATER;
  }

  private void checkToken(AskedClaim claim, Line line) {
    long token = Long.parseLong(line.fact(2));
    if (token <= claim.tokenBefore() || !tokens.add(token)) {
      findings.add(Finding.NUMBER_REUSED, "token: " + line.text());
    }
    latestToken = Math.max(latestToken, token);
  }

  private void checkLook(JobStory story, Line line) {
    Look look = story.look;
    switch (look.place()) {
      case LEASED -> findings.add(Finding.OVERLAPPING_LEASES, line.text());
      case ABSENT, DONE -> findings.add(Finding.REDELIVERED, line.text());
      case DEAD -> findings.add(Finding.WRONG_STATE, "dead, but served: " + line.text());
      case WAITING -> {
        if (Integer.parseInt(line.fact(3)) != look.attempts() + 1) {
          findings.add(Finding.WRONG_ATTEMPT, "after " + look.attempts() + ": " + line.text());
        }
        if (Integer.parseInt(line.fact(4)) != look.version()) {
          findings.add(Finding.WRONG_PAYLOAD, "not " + look.version() + ": " + line.text());
        }
      }
    }
  }

  private void end() {
    order.judge();
    for (JobStory story : stories.values()) {
      Place place = story.look.place();
      if (place == Place.WAITING || place == Place.LEASED) {
        findings.add(Finding.STRANDED, story.name + " is " + place);
      }
    }
  }
}
