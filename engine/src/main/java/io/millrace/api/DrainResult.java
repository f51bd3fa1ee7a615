package io.millrace.api;

/** How a drain stands when its call returns. */
public enum DrainResult {
  /** Nothing is left to be worked on: no job is ready, delayed, leased, blocked or waiting. */
  EMPTY,
  /** Some jobs are left; the queue goes on refusing new ones. */
  DRAINING
}
