package io.millrace.model.crash;

import java.util.Locale;

/** What must not be found in a journal. */
enum Finding {
  /** An acknowledged job, or what was acknowledged of it, is not there. */
  LOST,
  /** A job is in the store that nobody asked for. */
  UNEXPECTED,
  /** One enqueue made two jobs. */
  DUPLICATED,
  /** A job is served, or there again, after its completion or cancel was acknowledged. */
  REDELIVERED,
  OVERLAPPING_LEASES,
  COMPLETED_TWICE,
  /** Damaged, of another job, or not as of the last change. */
  WRONG_PAYLOAD,
  /** Served after a job that came later or has a lower priority. */
  ORDER_SKIPPED,
  WRONG_ATTEMPT,
  WRONG_STATE,
  WRONG_ANSWER,
  /** A lease token that is not above those before, or an id given twice. */
  NUMBER_REUSED,
  /** Of the jobs of one call some are there and others are not. */
  TORN_CALL,
  /** Something is there, although something before it is not. */
  PREFIX_BROKEN,
  /** The last process could not get at a job, though it should be served. */
  STRANDED,
  /** Rows of the store that do not agree. */
  VERIFY_PROBLEM;

  String words() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
