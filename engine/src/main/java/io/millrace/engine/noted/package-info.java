/**
 * What those who work beside a running engine tell in its health, and hear of it: the schedules of
 * workers, whose module may use this package.
 *
 * <p>Depends on nothing of ours. Any thread.
 */
@NullMarked
package io.millrace.engine.noted;

import org.jspecify.annotations.NullMarked;
