/**
 * Reports of workers, whose module may use this package, to a running engine for its health:
 * schedules that are held up, jobs whose type no handler knows, and which queues they serve.
 *
 * <p>Depends on the API. Any thread.
 */
@NullMarked
package io.millrace.engine.noted;

import org.jspecify.annotations.NullMarked;
