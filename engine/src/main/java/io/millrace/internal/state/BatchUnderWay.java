package io.millrace.internal.state;

import io.millrace.api.Durability;

/** The batch that is being made, as seen by those who tell others what the batch makes true. */
public interface BatchUnderWay {

  /** Returns the number of the commit that the batch will be. */
  long number();

  /** Returns how durable the change that is being made must be before anybody is told of it. */
  Durability level();

  /** Returns the engine time of the change that is being made. */
  long nowMs();
}
