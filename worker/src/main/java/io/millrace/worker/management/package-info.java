/**
 * The MBean of a running worker, by which it is looked at, and acted upon, through JMX.
 *
 * <p>Its answers are open data, so that tools without our classes can read them. Depends on the API
 * alone. Any thread.
 */
@NullMarked
package io.millrace.worker.management;

import org.jspecify.annotations.NullMarked;
