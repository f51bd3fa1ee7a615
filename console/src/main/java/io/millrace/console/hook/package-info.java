/**
 * The choices of an application: who may use it, how payloads are shown, where actions are written
 * down. Depends on the engine's API alone.
 */
@NullMarked
package io.millrace.console.hook;

import org.jspecify.annotations.NullMarked;
