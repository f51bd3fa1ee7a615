/**
 * The commands of {@code millrace schedules}, which show and change schedules.
 *
 * <p>{@link io.millrace.cli.schedules.SchedulesCommand} names them all; {@link
 * io.millrace.cli.schedules.ScheduleChange} is what those that change a schedule have in common.
 * Depends on the common packages of the command line. Runs on the main thread.
 */
@NullMarked
package io.millrace.cli.schedules;

import org.jspecify.annotations.NullMarked;
