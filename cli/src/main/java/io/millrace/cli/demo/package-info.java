/**
 * The demo: one job for each file below a folder, whose result is a manifest of SHA-256 sums that
 * holds every file exactly once, however often the process is killed on the way.
 *
 * <p>Written as a user of Millrace would write it, on {@code io.millrace.api}, {@code
 * io.millrace.engine} and {@code io.millrace.worker} alone. Millrace serves a job at least once;
 * the rest of "exactly once" is made here: a result is in the journal, on stable storage, before
 * its job is completed, and the manifest is made from the journal by name. So a job that runs twice
 * writes two lines of which the manifest takes one.
 *
 * <p>Threads: the caller's shows the progress and makes the manifest; those of one worker scan the
 * folder, those of another hash files; one writes the journal. The last pass holds the names of all
 * files in memory.
 */
@NullMarked
package io.millrace.cli.demo;

import org.jspecify.annotations.NullMarked;
