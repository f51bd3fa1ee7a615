/**
 * The troubles that workers, whose module may use this package, tell in a running engine's health:
 * schedules that are held up, and jobs whose type no handler knows.
 *
 * <p>Depends on nothing of ours. Any thread.
 */
@NullMarked
package io.millrace.engine.noted;

import org.jspecify.annotations.NullMarked;
