package io.millrace.model.crash;

import io.millrace.api.Durability;
import io.millrace.model.crash.Look.Span;
import org.jspecify.annotations.Nullable;

/** An operation on a job: when it was asked for and, if it was, answered. */
final class Step {

  static final long NEVER = Long.MAX_VALUE;

  final Op op;
  final long asked;
  final Durability level;

  /** What it was asked for together with. */
  final String call;

  /** How the job was before, once it is known to have happened. */
  @Nullable Look before;

  boolean isAnswered;

  /** The first sign that it happened: its answer, or what could not be without it. */
  long told = NEVER;

  long toldUs;

  Step(Op op, long asked, Durability level, String call) {
    this.op = op;
    this.asked = asked;
    this.level = level;
    this.call = call;
  }

  Span when() {
    return new Span(asked, told);
  }

  /** A claim is answered before its own record is stored, and nothing is promised of that. */
  boolean isPromised() {
    return told != NEVER && op != Op.CLAIM;
  }
}
