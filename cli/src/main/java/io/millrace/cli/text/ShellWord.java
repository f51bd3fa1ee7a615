package io.millrace.cli.text;

/** A word of a command that a person may copy into a shell. */
public final class ShellWord {

  private ShellWord() {}

  /** Returns the word as it is if a shell takes it so, otherwise in single quotes. */
  public static String quote(String word) {
    return word.matches("[A-Za-z0-9_./:=,@%+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
