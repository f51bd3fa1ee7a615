/**
 * Measurements of how long one queue's callers wait while another's do as much in one call as they
 * may.
 */
@NullMarked
package io.millrace.jmh.beside;

import org.jspecify.annotations.NullMarked;
