/** What every embedded store's folder has in common: the lock, the header, the watermark. For store implementers. */
@NullMarked
package io.millrace.spi.folder;

import org.jspecify.annotations.NullMarked;
