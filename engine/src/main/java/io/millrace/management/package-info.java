/**
 * The MBean of a running engine, by which it is looked at, and acted upon, through JMX.
 *
 * <p>Answers are open data, so that tools without our classes can read them; {@code
 * io.millrace.describe} says which attributes there are. Depends on nothing. Any thread.
 */
@NullMarked
package io.millrace.management;

import org.jspecify.annotations.NullMarked;
