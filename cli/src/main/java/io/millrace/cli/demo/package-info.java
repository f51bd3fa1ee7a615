/**
 * The demo: every file of a folder is a job, and its SHA-256 sum a row of a table, put in the same
 * commit as the end of the job. So nothing is lost or done in vain whenever the process dies.
 *
 * <p>{@link io.millrace.cli.demo.Demo} puts the parts together: the scan makes jobs of the files
 * that have no row of their present state, the worker hashes them, and when nothing is left to do
 * the rows become the manifest.
 */
@NullMarked
package io.millrace.cli.demo;

import org.jspecify.annotations.NullMarked;
