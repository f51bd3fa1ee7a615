package io.millrace.server;

/** A call about a listening that has ended, or was never begun here. Nothing of it happened. */
final class NoSuchListeningException extends RuntimeException {

  private static final long serialVersionUID = 1;

  NoSuchListeningException() {
    super(
        "listening is not there: nobody asked about it for a minute, it was ended, or the server"
            + " was replaced; begin another one");
  }
}
