/**
 * Classes that the engine and its stores share beside the contract between them. Depends on the JDK
 * alone.
 */
@NullMarked
package io.millrace;

import org.jspecify.annotations.NullMarked;
