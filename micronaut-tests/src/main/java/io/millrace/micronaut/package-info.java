/** The lines that docs/frameworks.md shows: jobs in an application of Micronaut. */
@NullMarked
package io.millrace.micronaut;

import org.jspecify.annotations.NullMarked;
