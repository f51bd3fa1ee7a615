/**
 * The registration of a running engine in the platform MBean server, as {@code
 * io.millrace.management} describes it. A worker is registered in the same way, so the module of
 * workers may use this package.
 *
 * <p>Depends on the api, its description and the bean; the engine hands in the objects that are
 * shown. Called on the threads of JMX; the engine opens even where there is no JMX.
 */
@NullMarked
package io.millrace.engine.jmx;

import org.jspecify.annotations.NullMarked;
