/**
 * Histories in which the store fails and the power goes, each made of one number, and the judgement
 * of them by the reference model: what was acknowledged is kept, and nothing else happened.
 *
 * <p>The engine and its disk are those of {@code io.millrace.model.seeds}.
 */
@NullMarked
package io.millrace.model.outage;

import org.jspecify.annotations.NullMarked;
