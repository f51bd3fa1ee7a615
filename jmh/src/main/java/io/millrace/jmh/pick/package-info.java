/**
 * The choice of a store: measures all of them over payloads and callers, and presents the results
 * in words and charts. Uses the load tool; says nothing that was not measured in the same run.
 */
@NullMarked
package io.millrace.jmh.pick;

import org.jspecify.annotations.NullMarked;
