/**
 * The store that a command works on: one in its folder, or one that a running engine holds, in
 * another process of this machine.
 *
 * <p>Depends on the public packages of the engine, and for attaching on the JDK's modules
 * jdk.attach and java.management. Runs on the main thread.
 */
@NullMarked
package io.millrace.cli.place;

import org.jspecify.annotations.NullMarked;
