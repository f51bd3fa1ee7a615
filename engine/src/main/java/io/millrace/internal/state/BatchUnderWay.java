package io.millrace.internal.state;

import io.millrace.api.Durability;

/** The batch that is being made, as far as those must know it who tell what it makes true. */
public interface BatchUnderWay {

  /** The commit that it will be. */
  long number();

  /** How durable what is being done now is to be before anybody hears of it. */
  Durability level();

  /** Engine time of what is being done now. */
  long nowMs();
}
