package io.millrace.model.crash;

import io.millrace.model.crash.Findings.Figure;
import io.millrace.model.crash.Journal.Line;
import io.millrace.model.crash.Op.Reply;
import io.millrace.model.crash.RemoteJob.Held;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads what all clients of a server wrote down until no job was left, and finds what must not be.
 *
 * <p>What was asked for and not answered may have happened or not, and a job may run several times,
 * one after the other. But what was answered has happened; and a lease is its holder's from its
 * grant, which is after he asked for it and before he was told, until he asks for its end, or its
 * time is over, which begins anew with each server.
 */
final class RemoteCheck {

  /** The death of a server, which began and was over, and from when on another had its store. */
  record Outage(long fromUs, long untilUs, long nextUs) {}

  private final Findings findings = new Findings();
  private final Map<String, RemoteJob> jobs = new LinkedHashMap<>();
  private final Map<String, Line> unanswered = new HashMap<>();
  private final List<Outage> outages;
  private final long leaseUs;

  private RemoteCheck(List<Outage> outages, long leaseUs) {
    this.outages = outages;
    this.leaseUs = leaseUs;
  }

  /**
   * Reads the lines of all clients, in any order.
   *
   * @param leaseUs how long leases last that nobody ends
   * @param made the rows that were made together with jobs
   * @param done the rows that count completions
   */
  static Findings check(
      List<Line> lines,
      List<Outage> outages,
      long leaseUs,
      Map<String, Long> made,
      Map<String, Long> done) {
    RemoteCheck check = new RemoteCheck(outages, leaseUs);
    List<Line> inOrder = new ArrayList<>(lines);
    inOrder.sort(Comparator.comparingLong(Line::us));
    check.readAll(inOrder);
    check.jobs.values().forEach(job -> check.judge(job, made, done));
    List.of(made, done).forEach(rows -> rows.keySet().forEach(check::judgeRow));
    return check.findings;
  }

  private void readAll(List<Line> inOrder) {
    int outageCount = 0;
    for (Line line : inOrder) {
      while (outageCount < outages.size() && outages.get(outageCount).untilUs < line.us()) {
        survive(outages.get(outageCount++));
      }
      read(line);
    }
  }

  /**
   * The next server honours the leases that the one before had not ended when it was dead, each of
   * which has its full time again.
   */
  private void survive(Outage outage) {
    for (RemoteJob job : jobs.values()) {
      for (Held held : job.leases.values()) {
        if (held.toldUs < outage.fromUs && held.isHeldAt(outage.untilUs)) {
          held.lastsUntilUs = Math.max(held.lastsUntilUs, outage.nextUs + leaseUs);
        }
      }
    }
  }

  private void read(Line line) {
    switch (line.event()) {
      case ASK -> ask(line);
      case TOLD -> told(line);
      case LEASED -> leased(line);
      case END -> ended(line);
      default -> findings.add(Finding.WRONG_ANSWER, line.text());
    }
  }

  private RemoteJob job(String name) {
    return jobs.computeIfAbsent(name, RemoteJob::new);
  }

  private void ask(Line line) {
    unanswered.put(line.fact(1) + line.job(), line);
    RemoteOp op = RemoteOp.valueOf(line.fact(0));
    if (op.isEnqueue()) {
      RemoteJob job = job(line.job());
      job.enqueueCount++;
      job.isWithRow |= op == RemoteOp.ENQUEUE_WITH_ROW;
    } else if (op != RemoteOp.CLAIM) {
      Held held = held(line);
      held.asked.add(op);
      if (op != RemoteOp.EXTEND) {
        held.endAskedUs = Math.min(held.endAskedUs, line.us());
      }
    }
  }

  /** The lease that was asked about. */
  private Held held(Line asked) {
    return job(asked.job()).leases.get(Long.parseLong(asked.fact(2)));
  }

  private void told(Line line) {
    RemoteOp op = RemoteOp.valueOf(line.fact(0));
    Reply reply = Reply.valueOf(line.fact(1));
    findings.count(Figure.ANSWERS, reply == Reply.UNKNOWN ? 0 : 1);
    if (op == RemoteOp.END) {
      if (job(line.job()).leases.values().stream().noneMatch(Held::isCompletionAsked)) {
        findings.add(Finding.WRONG_ANSWER, "nobody completed it: " + line.text());
      }
      return;
    }
    Line asked = unanswered.remove(line.fact(2) + line.job());
    if (op.isEnqueue()) {
      enqueued(line, reply);
    } else if (op != RemoteOp.CLAIM) {
      toldOfLease(line, op, reply, asked);
    }
  }

  private void enqueued(Line line, Reply reply) {
    RemoteJob job = job(line.job());
    if (reply == Reply.OK) {
      findings.count(Figure.JOBS, 1);
      job.isEnqueued = true;
      identify(job, line.fact(3));
    } else if (reply == Reply.REFUSED) {
      job.enqueueCount--; // Nothing of it happened.
    }
  }

  private void identify(RemoteJob job, String id) {
    if (job.id.isPresent() && !job.id.get().equals(id)) {
      findings.add(Finding.DUPLICATED, job.name + " is " + job.id.get() + " and " + id);
    }
    job.id = Optional.of(id);
  }

  private void toldOfLease(Line line, RemoteOp op, Reply reply, Line asked) {
    Held held = held(asked);
    if (reply == Reply.OK) {
      held.done.add(op);
      if (op == RemoteOp.EXTEND) {
        held.lastsUntilUs = Math.max(held.lastsUntilUs, asked.us() + leaseUs);
      }
    } else if (reply == Reply.NOTHING
        && line.us() < held.lastsUntilUs
        && !isRepeated(asked, line)) {
      findings.add(Finding.WRONG_ANSWER, "lost too early: " + held + ": " + line.text());
    }
  }

  /** Tells whether the call may have been made twice, for its server died. */
  private boolean isRepeated(Line asked, Line told) {
    return outages.stream()
        .anyMatch(each -> asked.us() <= each.untilUs && each.fromUs <= told.us());
  }

  private void leased(Line line) {
    findings.count(Figure.SERVED, 1);
    RemoteJob job = job(line.job());
    if (line.job().equals(Payload.DAMAGED)) {
      findings.add(Finding.WRONG_PAYLOAD, line.text());
      return;
    }
    identify(job, line.fact(1));
    String claim = line.fact(0);
    String life = claim.substring(0, claim.indexOf('.'));
    long askedUs = unanswered.get(claim + claim).us();
    long token = Long.parseLong(line.fact(2));
    if (job.leases.put(token, new Held(token, life, line.us(), askedUs + leaseUs)) != null) {
      findings.add(Finding.NUMBER_REUSED, line.text());
    }
  }

  /** A client says goodbye, and asks for the end of all that it holds. */
  private void ended(Line line) {
    for (RemoteJob job : jobs.values()) {
      for (Held held : job.leases.values()) {
        if (held.life.equals(line.job())) {
          held.endAskedUs = Math.min(held.endAskedUs, line.us());
        }
      }
    }
  }

  // What must be so when no job is left.

  private void judge(RemoteJob job, Map<String, Long> made, Map<String, Long> done) {
    boolean wasServed = !job.leases.isEmpty();
    if (wasServed && job.enqueueCount == 0) {
      findings.add(Finding.UNEXPECTED, job.name + ": " + job.leases);
    }
    if (job.leases.values().stream().noneMatch(Held::isCompletionAsked)
        && (job.isEnqueued || wasServed)) {
      findings.add(Finding.LOST, job.name + ": " + job.leases);
    }
    judgeLeases(job, List.copyOf(job.leases.values()));
    if (job.isWithRow && made.containsKey(job.name) != wasServed) {
      findings.add(Finding.TORN_CALL, "row without job or job without row: " + job.name);
    }
    judgeCount(job, done.getOrDefault(job.name, 0L));
  }

  private void judgeLeases(RemoteJob job, List<Held> leases) {
    for (int i = 1; i < leases.size(); i++) {
      Held next = leases.get(i);
      for (Held before : leases.subList(0, i)) {
        if (before.isHeldAt(next.toldUs)) {
          findings.add(Finding.OVERLAPPING_LEASES, job.name + ": " + before + " and " + next);
        }
        if (before.isCompleted()) {
          boolean isTwice = next.isCompleted();
          findings.add(
              isTwice ? Finding.COMPLETED_TWICE : Finding.REDELIVERED,
              job.name + ": " + before + " and " + next);
        }
      }
    }
  }

  /** The row of a job counts its completion if that is what ended the job, and nothing else. */
  private void judgeCount(RemoteJob job, long count) {
    if (count > 1) {
      findings.add(Finding.COMPLETED_TWICE, count + " times: " + job.name);
    }
    boolean mayCount =
        !job.leases.isEmpty()
            && job.leases.lastEntry().getValue().asked.contains(RemoteOp.COMPLETE_AND_COUNT);
    boolean mustCount =
        job.leases.values().stream()
            .anyMatch(held -> held.done.contains(RemoteOp.COMPLETE_AND_COUNT));
    if (count == 0 ? mustCount : !mayCount) {
      findings.add(Finding.TORN_CALL, "counted " + count + ": " + job.name + ": " + job.leases);
    }
  }

  private void judgeRow(String name) {
    if (!jobs.containsKey(name)) {
      findings.add(Finding.UNEXPECTED, "row of no job: " + name);
    }
  }
}
