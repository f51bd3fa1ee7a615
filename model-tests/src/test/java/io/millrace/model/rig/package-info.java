/**
 * What tests of every kind start from: an engine on each kind of store, with a clock that stands
 * still until it is moved, stores whose writes can be held up or cut off, and stops of every kind.
 *
 * <p>Nothing here judges; it uses the public API and the fault tests' tools.
 */
@NullMarked
package io.millrace.model.rig;

import org.jspecify.annotations.NullMarked;
