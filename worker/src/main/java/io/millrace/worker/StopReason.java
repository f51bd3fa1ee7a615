package io.millrace.worker;

/** The reasons for which a handler is to give its job up. */
enum StopReason {
  CANCEL("somebody asked for it to be cancelled"),
  LEASE_LOST("its lease was lost"),
  TIMEOUT("its time is over"),
  WORKER_STOPS("the worker stops");

  private final String sentence;

  StopReason(String sentence) {
    this.sentence = sentence;
  }

  String sentence() {
    return sentence;
  }
}
