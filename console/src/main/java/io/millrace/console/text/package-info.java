/**
 * Values as texts and as JSON, the same for the console and for the command line. Depends on the
 * engine's descriptions, on workflows for the steps that a job has kept, and on Jackson's streaming
 * core. Runs on the caller's thread.
 */
@NullMarked
package io.millrace.console.text;

import org.jspecify.annotations.NullMarked;
