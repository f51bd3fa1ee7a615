/**
 * Several operations as one: judged one after the other, each against what those before it will
 * leave, and carried out together or not at all. Depends on the other transitions. Runs on the
 * commit loop's thread.
 */
@NullMarked
package io.millrace.internal.transition.transact;

import org.jspecify.annotations.NullMarked;
