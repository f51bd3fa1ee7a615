/** The lines that docs/frameworks.md shows: jobs in an application of Quarkus. */
@NullMarked
package io.millrace.quarkus;

import org.jspecify.annotations.NullMarked;
