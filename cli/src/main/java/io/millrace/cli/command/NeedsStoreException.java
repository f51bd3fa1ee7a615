package io.millrace.cli.command;

/** A command that needs the store itself, and was given a server; the message is its location. */
public final class NeedsStoreException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public NeedsStoreException(String location) {
    super(location);
  }
}
