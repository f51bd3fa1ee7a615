/**
 * Processes that are killed at any moment, and the check that what they were told still holds
 * afterwards.
 */
@NullMarked
package io.millrace.model.crash;

import org.jspecify.annotations.NullMarked;
