package io.millrace.model.source.init;

/**
 * Initialized with its implementations, for it has a default method, and needs one of them itself.
 */
interface Shape {

  Shape NONE = new Point();

  default int size() {
    return 0;
  }
}
