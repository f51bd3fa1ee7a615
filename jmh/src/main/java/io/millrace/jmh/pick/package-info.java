/**
 * Which store to pick: measures all of them over payloads and callers, and says in words and charts
 * what came out. Uses the load tool; says nothing that was not measured in the same run.
 */
@NullMarked
package io.millrace.jmh.pick;

import org.jspecify.annotations.NullMarked;
