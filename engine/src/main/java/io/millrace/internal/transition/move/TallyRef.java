package io.millrace.internal.transition.move;

/** A tally that jobs are to join: one that is there, or one that the same call begins. */
public final class TallyRef {

  private long number;

  private TallyRef(long number) {
    this.number = number;
  }

  /** Returns a reference to the tally of the number. */
  public static TallyRef of(long number) {
    return new TallyRef(number);
  }

  /** Returns a reference to a tally that has yet to be begun. */
  public static TallyRef toBegin() {
    return new TallyRef(0);
  }

  /** Returns the tally's number; 0 if it has yet to be begun. */
  public long number() {
    return number;
  }

  /** Notes that the tally has begun, with this number; 0 if it has yet to be begun after all. */
  public void begun(long value) {
    number = value;
  }
}
