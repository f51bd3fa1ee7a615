package io.millrace.engine;

import io.millrace.api.EngineOptions;
import io.millrace.internal.commit.CommitLoop;
import io.millrace.internal.commit.DueWork;
import io.millrace.internal.state.DelayClock;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.timer.AgendaVisitor;
import io.millrace.internal.timer.BroadcastsUnderWay;
import io.millrace.internal.timer.DroppedQueues;
import io.millrace.internal.timer.DroppedTables;
import io.millrace.internal.timer.DueTallies;
import io.millrace.internal.timer.LostTimerRows;
import io.millrace.internal.timer.Mover;
import io.millrace.internal.timer.QueueLeaseReaper;
import io.millrace.internal.timer.RaisedQueues;
import io.millrace.internal.timer.RateTimer;
import io.millrace.internal.timer.Reaper;
import io.millrace.internal.timer.RetentionOffers;
import io.millrace.internal.timer.SetClock;
import io.millrace.internal.timer.Sweeper;
import io.millrace.internal.timer.UnfinishedKeys;
import io.millrace.internal.timer.UnservedWalk;
import io.millrace.internal.transition.due.Sweep;
import java.util.ArrayList;
import java.util.List;

/**
 * The work that an engine does by itself when it comes due, in the order in which a commit does it.
 */
final class DueWorks {

  private DueWorks() {}

  static List<DueWork> of(
      EngineOptions options, WorkingSet state, CommitLoop loop, EngineCore core) {
    List<DueWork> work = new ArrayList<>();
    // Before the mover: what was not started in time must not become ready and be claimed first.
    if (options.retentionListener().isEmpty()) {
      work.add(new Sweeper(state, DelayClock.STEADY, Sweep.Scope.ALL));
    } else {
      work.add(new Sweeper(state, DelayClock.STEADY, Sweep.Scope.WITHOUT_RETENTION));
      work.add(
          new RetentionOffers(
              state, new RetentionNotifier(loop, core, options.retentionListener().get())));
    }
    work.add(new Sweeper(state, DelayClock.ENGINE, Sweep.Scope.ALL));
    work.add(new Mover(state));
    work.add(new Reaper(state));
    work.add(new QueueLeaseReaper(state));
    work.add(new RateTimer(state));
    work.add(new AgendaVisitor(state, options));
    work.add(new RaisedQueues(state));
    work.add(new UnfinishedKeys(state));
    work.add(new DueTallies(state));
    work.add(new BroadcastsUnderWay(state));
    work.add(new DroppedQueues(state));
    work.add(new DroppedTables(state));
    work.add(new LostTimerRows(state));
    work.add(new SetClock());
    work.add(new UnservedWalk(state.unserved()));
    work.add(core.lostAttempts());
    work.add(new ToldTroubles(core.troubles()));
    return work;
  }
}
