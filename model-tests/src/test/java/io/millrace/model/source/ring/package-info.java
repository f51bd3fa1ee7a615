/** Classes for the test that looks for rings: two that use each other, and one that both use. */
@NullMarked
package io.millrace.model.source.ring;

import org.jspecify.annotations.NullMarked;
