/**
 * Tables of options, on which all our classes of options stand: the name, the default and the check
 * of each option are said once, and no class copies, compares or shows its options by hand. For
 * Millrace's own modules alone; depends on nothing; safe on any thread.
 */
@NullMarked
package io.millrace.options;

import org.jspecify.annotations.NullMarked;
