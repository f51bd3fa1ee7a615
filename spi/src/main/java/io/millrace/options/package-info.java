/**
 * Tables of options: each names an option, its default and its check once, and no class that stands
 * on one copies or compares its options by hand. Beside them stand the checks of all values from
 * callers. For Millrace's own modules alone; depends on nothing; safe on any thread.
 *
 * <p>Options that are made with every call, of an enqueue or a claim, have fields in place of a
 * table, which would take two objects more and put numbers into boxes.
 */
@NullMarked
package io.millrace.options;

import org.jspecify.annotations.NullMarked;
