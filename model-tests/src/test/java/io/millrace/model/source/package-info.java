/** The sources themselves: the arrows between packages, and documents that list what there is. */
@NullMarked
package io.millrace.model.source;

import org.jspecify.annotations.NullMarked;
