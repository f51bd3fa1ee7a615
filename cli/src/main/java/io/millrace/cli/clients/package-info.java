/**
 * The command that shows who is connected to a server.
 *
 * <p>Depends on the common packages of the command line. Runs on the main thread.
 */
@NullMarked
package io.millrace.cli.clients;

import org.jspecify.annotations.NullMarked;
