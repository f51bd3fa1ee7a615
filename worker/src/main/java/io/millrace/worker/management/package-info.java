/**
 * How a running worker is looked at, and acted upon, through JMX: the MXBean, and the shapes of
 * what it tells.
 *
 * <p>Every shape is an interface of getters, which JMX turns into open data and back, so that tools
 * without these classes can read it. Depends on nothing. Any thread.
 */
@NullMarked
package io.millrace.worker.management;

import org.jspecify.annotations.NullMarked;
