/**
 * The way in: opens a store and puts the engine together. Depends on everything; nothing depends on
 * it.
 */
@NullMarked
package io.millrace.engine;

import org.jspecify.annotations.NullMarked;
