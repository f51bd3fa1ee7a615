package io.millrace.model.crash;

import io.millrace.api.Durability;
import io.millrace.api.JobState;
import io.millrace.model.crash.Journal.Event;
import io.millrace.model.crash.Journal.Line;
import io.millrace.model.crash.Op.Reply;
import io.millrace.model.crash.Reopening.Ending;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Writes a journal as processes would, for the tests of its check. */
final class JournalScript {

  static final long NOTHING_US = Long.MAX_VALUE;

  private final List<Line> lines = new ArrayList<>();
  private Durability level = Durability.SYNCED;
  private int claimCount;
  private int callCount;
  private String call = "";

  Findings check() {
    return JournalCheck.check(lines);
  }

  /** What is asked for from here on is asked for at this level. */
  JournalScript at(Durability wanted) {
    level = wanted;
    return this;
  }

  private JournalScript add(Event event, String job, Object... facts) {
    lines.add(
        new Line(
            1_000L * lines.size(),
            event,
            job,
            Arrays.stream(facts).map(Object::toString).toList()));
    return this;
  }

  JournalScript begin() {
    return add(Event.BEGIN, "life");
  }

  JournalScript found(String job, JobState state, int attempts, int version) {
    return add(Event.FOUND, job, "id-" + job, state, attempts, version);
  }

  JournalScript foundAs(String id, String job, JobState state) {
    return add(Event.FOUND, job, id, state, 0, 0);
  }

  JournalScript observed() {
    return add(Event.OBSERVED, "-", 0);
  }

  JournalScript observed(int problemCount) {
    return add(Event.OBSERVED, "-", problemCount);
  }

  /** A life with nothing in the store. */
  JournalScript fresh() {
    return begin().observed();
  }

  JournalScript killed() {
    return add(Event.END, "-", Ending.KILLED);
  }

  JournalScript stopped() {
    return add(Event.END, "-", Ending.CLEAN);
  }

  /** All that was answered so long before is promised, whatever its level. */
  JournalScript powerCut(long promisedAgeUs) {
    return add(Event.END, "-", Ending.POWER_CUT, promisedAgeUs);
  }

  /** The power began to go at that time, and lines were written later. */
  JournalScript powerCutAt(long us) {
    List<String> facts = List.of(Ending.POWER_CUT.toString(), Long.toString(NOTHING_US));
    lines.add(new Line(us, Event.END, "-", facts));
    return this;
  }

  JournalScript wrong(String text) {
    return add(Event.WRONG, "-", text);
  }

  JournalScript ask(Op op, String... jobs) {
    call = "call-" + ++callCount;
    for (String job : jobs) {
      add(Event.ASK, job, op, level, call);
    }
    return this;
  }

  /** Answers the latest call. */
  JournalScript told(Op op, Reply told, String... jobs) {
    for (String job : jobs) {
      add(Event.TOLD, job, op, told, call, "id-" + job);
    }
    return this;
  }

  JournalScript done(Op op, String... jobs) {
    return ask(op, jobs).told(op, Reply.OK, jobs);
  }

  JournalScript enqueued(String... jobs) {
    for (String job : jobs) {
      done(Op.ENQUEUE, job);
    }
    return this;
  }

  JournalScript askClaim(String name) {
    return add(Event.ASK, name, Op.CLAIM, "mail", 5);
  }

  JournalScript leased(String claim, String job, long token, int attempt) {
    return leasedAs(claim, "id-" + job, job, token + "/" + attempt + "/0");
  }

  /** The lease is token, attempt and version. */
  JournalScript leasedAs(String claim, String id, String job, String lease) {
    String[] parts = lease.split("/");
    return add(Event.LEASED, job, claim, id, parts[0], parts[1], parts[2]);
  }

  JournalScript toldClaim(String name) {
    return add(Event.TOLD, name, Op.CLAIM, Reply.OK, "-");
  }

  /** Claims jobs one by one, for the first time. */
  JournalScript claimed(String... jobs) {
    for (String job : jobs) {
      claimedFor(1, job);
    }
    return this;
  }

  JournalScript claimedFor(int attempt, String job) {
    String name = "claim-" + ++claimCount;
    return askClaim(name).leased(name, job, claimCount, attempt).toldClaim(name);
  }
}
