/**
 * The tests are tested: bugs that are planted one at a time, each to be found by the test that it
 * names.
 *
 * <p>Each bug is a unified diff in {@code src/test/planted} against the sources of the repository,
 * after a head that says in a sentence what is wrong and which test must fail of it. The sources
 * themselves stay clean.
 */
@NullMarked
package io.millrace.model.planted;

import org.jspecify.annotations.NullMarked;
