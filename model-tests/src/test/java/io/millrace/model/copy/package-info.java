/**
 * Stores that are made of other stores: backups of running engines, restored ones, copies from
 * every kind into every kind, repaired ones.
 */
@NullMarked
package io.millrace.model.copy;

import org.jspecify.annotations.NullMarked;
