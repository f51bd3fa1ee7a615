/** The traps that queues fell into before us: each has a plain test here, named after what must not happen. */
@NullMarked
package io.millrace.model.traps;

import org.jspecify.annotations.NullMarked;
