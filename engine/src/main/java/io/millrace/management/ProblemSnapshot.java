package io.millrace.management;

/** A row that does not agree with the others. */
public interface ProblemSnapshot {

  String getKeyspace();

  /** In hexadecimal. */
  String getKey();

  String getFinding();
}
