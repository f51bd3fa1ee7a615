package io.millrace.management;

/** A queue's name. */
public interface QueueLabel {

  String getName();

  /** Empty for the default tenant. */
  String getTenant();
}
