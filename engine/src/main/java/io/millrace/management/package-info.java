/**
 * The MBean of a running engine, by which it is looked at, and acted upon, through JMX.
 *
 * <p>What it tells are open data, so that tools without our classes can read it; {@code
 * io.millrace.describe} says what there is. Depends on nothing. Any thread.
 */
@NullMarked
package io.millrace.management;

import org.jspecify.annotations.NullMarked;
