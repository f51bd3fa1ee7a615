/**
 * The way into the engine: opens a store and puts the parts together. Depends on everything;
 * nothing depends on it.
 */
@NullMarked
package io.millrace.engine;

import org.jspecify.annotations.NullMarked;
