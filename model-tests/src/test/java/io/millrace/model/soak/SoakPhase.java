package io.millrace.model.soak;

/** The parts of a run. */
enum SoakPhase {
  WARM_UP,
  /** What later is measured by: the first minute of five. */
  FIRST,
  /** The store is read from end to end, over and over, beside the load. */
  SCANNED,
  /** The last minute of five. */
  LAST,
  OVER;

  /** The phase at a moment of a run of that length. */
  static SoakPhase at(double second, int seconds) {
    double part = second / seconds;
    if (part < 0.1) {
      return WARM_UP;
    }
    if (part < 0.3) {
      return FIRST;
    }
    if (part < 0.8) {
      return SCANNED;
    }
    return part < 1 ? LAST : OVER;
  }
}
