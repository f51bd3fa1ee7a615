package io.millrace.management;

/** A row of a user's table, as bytes. */
public interface TableRowSnapshot {

  byte[] getKey();

  byte[] getValue();
}
