/** A {@link io.millrace.api.Codec} that writes values as JSON, by Jackson. */
@NullMarked
package io.millrace.jackson;

import org.jspecify.annotations.NullMarked;
