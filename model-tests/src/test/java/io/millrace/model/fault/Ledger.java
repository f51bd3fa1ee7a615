package io.millrace.model.fault;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Lease;
import io.millrace.engine.JobEngine;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What callers were told of each job, and what of it must not be: jobs lost, doubled, damaged,
 * there though refused, served after they were completed, held by two; tokens that do not rise;
 * leases that nobody holds.
 *
 * <p>Jobs are known by the names in their payloads, for an enqueue of unknown outcome tells no id.
 * Any thread may write.
 */
final class Ledger {

  private static final int VIOLATION_COUNT_MAX = 50;
  private static final int SHORT_BYTES = 60;

  /** What a job is called whose payload is not what it was. */
  static final String DAMAGED = "damaged";

  /** What is counted of what callers were told. */
  enum Note {
    ENQUEUED,
    REFUSED,
    UNKNOWN,
    /** An enqueue or an end of a lease whose outcome was unknown had happened. */
    RECOVERED,
    LEASED,
    COMPLETED,
    HANDED_BACK,
    STALE
  }

  private enum Fate {
    ASKED,
    KEPT,
    REFUSED,
    UNKNOWN
  }

  private final Map<String, Entry> entries = new ConcurrentHashMap<>();
  private final Set<Long> tokens = ConcurrentHashMap.newKeySet();
  private final Queue<String> violations = new ConcurrentLinkedQueue<>();
  private final Witness witness;
  private final Map<Note, LongAdder> notes = new EnumMap<>(Note.class);

  /** What is known of one job; guarded by itself. */
  private static final class Entry {
    private Fate fate = Fate.ASKED;
    private boolean wasServed;
    private boolean isCompleted;
    private long token;
    private @Nullable Lease held;
  }

  /** Who knows what of a job is durable. Any thread asks. */
  interface Witness {

    /** Everything is durable. */
    Witness NONE =
        new Witness() {
          @Override
          public boolean isKept(String name) {
            return true;
          }

          @Override
          public boolean isReady(String name) {
            return true;
          }

          @Override
          public boolean isGone(String name) {
            return true;
          }
        };

    /** That the job was enqueued. */
    boolean isKept(String name);

    /** That the job entered the line where it is. */
    boolean isReady(String name);

    /** That the job was completed. */
    boolean isGone(String name);
  }

  Ledger() {
    this(Witness.NONE);
  }

  Ledger(Witness witness) {
    this.witness = witness;
    for (Note note : Note.values()) {
      notes.put(note, new LongAdder());
    }
  }

  /** The payload of the job of this name, at least so long: it names the job and proves itself. */
  static byte[] payload(String name, int bytes) {
    byte[] start = (name + '|').getBytes(UTF_8);
    byte[] payload = Arrays.copyOf(start, Math.max(SHORT_BYTES, bytes));
    for (int i = start.length; i < payload.length; i++) {
      payload[i] = filler(name, i);
    }
    return payload;
  }

  private static byte filler(String name, int index) {
    return (byte) (name.hashCode() + index * 31);
  }

  /** The job's name, or one that no job has if its payload is not what it was. */
  static String nameOf(byte[] payload) {
    int length = 0;
    while (length < payload.length && payload[length] != '|') {
      length++;
    }
    String name = new String(payload, 0, length, UTF_8);
    for (int i = length + 1; i < payload.length; i++) {
      if (payload[i] != filler(name, i)) {
        return DAMAGED;
      }
    }
    return payload.length >= SHORT_BYTES ? name : DAMAGED;
  }

  void count(Note note) {
    notes.get(note).increment();
  }

  long counted(Note note) {
    return notes.get(note).sum();
  }

  /** Something that must not be. */
  void wrong(String what) {
    if (violations.size() < VIOLATION_COUNT_MAX) {
      violations.add(what);
    }
  }

  List<String> violations() {
    return List.copyOf(violations);
  }

  void asked(String name) {
    entries.put(name, new Entry());
  }

  private void requireDurable(boolean isDurable, String what, Object job) {
    if (!isDurable) {
      wrong("told before it was durable: " + what + " " + job);
    }
  }

  /** The caller was told this of the enqueue of the job. */
  void told(String name, CallOutcome.Kind kind) {
    switch (kind) {
      case ANSWER -> enqueued(name);
      case NOTHING_HAPPENED -> refused(name);
      case UNKNOWN -> unknown(name);
    }
  }

  void enqueued(String name) {
    count(Note.ENQUEUED);
    requireDurable(witness.isKept(name), "enqueued", name);
    settle(name, Fate.KEPT);
  }

  /** The caller was told that nothing happened. */
  void refused(String name) {
    count(Note.REFUSED);
    settle(name, Fate.REFUSED);
  }

  void unknown(String name) {
    count(Note.UNKNOWN);
    settle(name, Fate.UNKNOWN);
  }

  private void settle(String name, Fate fate) {
    Entry job = entry(name);
    synchronized (job) {
      job.fate = fate;
      if (fate == Fate.REFUSED && job.wasServed) {
        wrong("refused, but served: " + name);
      }
      if (fate == Fate.UNKNOWN && job.wasServed) {
        count(Note.RECOVERED);
      }
    }
  }

  void leased(Lease lease) {
    count(Note.LEASED);
    requireDurable(witness.isReady(nameOf(lease.payload())), "leased", lease);
    Entry job = entry(lease);
    String fact = lease.toString();
    synchronized (job) {
      if (job.isCompleted) {
        wrong("served after it was completed: " + fact);
      }
      if (job.fate == Fate.REFUSED) {
        wrong("served though refused: " + fact);
      }
      if (job.held != null && !job.held.remaining().isZero()) {
        wrong("held by two: " + fact + " and " + job.held + " for " + job.held.remaining());
      }
      if (lease.token() <= job.token || !tokens.add(lease.token())) {
        wrong("token did not rise: " + fact + " after " + job.token);
      }
      if (job.fate == Fate.UNKNOWN && !job.wasServed) {
        count(Note.RECOVERED);
      }
      job.wasServed = true;
      job.token = lease.token();
      job.held = lease;
    }
  }

  /** Whatever comes of it, somebody else may hold the job from here on. */
  void ending(Lease lease) {
    Entry job = entry(lease);
    synchronized (job) {
      if (job.held != null && job.held.token() == lease.token()) {
        job.held = null;
      }
    }
  }

  /** The end was refused: nothing happened, and the lease goes on. */
  void goesOn(Lease lease) {
    Entry job = entry(lease);
    synchronized (job) {
      if (job.token == lease.token()) {
        job.held = lease;
      } else if (!lease.remaining().isZero()) {
        wrong("given to another while its end was refused: " + lease);
      }
    }
  }

  void completed(Lease lease) {
    count(Note.COMPLETED);
    requireDurable(witness.isGone(nameOf(lease.payload())), "completed", lease);
    Entry job = entry(lease);
    synchronized (job) {
      if (job.isCompleted) {
        wrong("completed twice: " + lease);
      }
      if (job.token != lease.token()) {
        wrong("completed under a lease that was over: " + lease + ", newest " + job.token);
      }
      job.isCompleted = true;
    }
  }

  private Entry entry(Lease lease) {
    return entry(nameOf(lease.payload()));
  }

  private Entry entry(String name) {
    Entry job = entries.get(name);
    if (job == null) {
      wrong("nobody enqueued it: " + name);
      job = entries.computeIfAbsent(name, unexpected -> new Entry());
    }
    return job;
  }

  /** Finds what should be there and is not, once nobody works any more and all is taken out. */
  void check(JobEngine engine) {
    entries.forEach(
        (name, job) -> {
          if (job.fate == Fate.KEPT && !job.isCompleted) {
            wrong("lost: " + name);
          }
        });
    engine.verify().problems().forEach(problem -> wrong("verify: " + problem));
  }

  /** In words, for people. */
  String summary() {
    return "%d enqueued, %d refused, %d of unknown outcome (%d of them had happened), %d leases,"
            .formatted(
                counted(Note.ENQUEUED),
                counted(Note.REFUSED),
                counted(Note.UNKNOWN),
                counted(Note.RECOVERED),
                counted(Note.LEASED))
        + " %d handed back, %d completed, %d told that they were too late"
            .formatted(counted(Note.HANDED_BACK), counted(Note.COMPLETED), counted(Note.STALE));
  }
}
