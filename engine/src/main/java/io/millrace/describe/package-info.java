/**
 * The one description of what the API tells: which attributes a job, a queue or an engine has, in
 * which order, what each is called, and what its values are outside of Java. JMX, {@code --json},
 * {@code inspect} and {@code top} come from it, so that an attribute is named here and is then in
 * all of them.
 *
 * <p>Depends on the API alone; only {@link io.millrace.describe.OpenData} knows JMX. Immutable. Any
 * thread.
 */
@NullMarked
package io.millrace.describe;

import org.jspecify.annotations.NullMarked;
