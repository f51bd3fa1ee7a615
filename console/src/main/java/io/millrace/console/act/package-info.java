/**
 * The actions of visitors: on one thing at once, on many jobs as a task. Depends on the source;
 * used by the server's threads, tasks run on one of their own.
 */
@NullMarked
package io.millrace.console.act;

import org.jspecify.annotations.NullMarked;
