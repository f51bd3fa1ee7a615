/**
 * The pages for people, made by templates. Depends on the source, the actions and the texts; used
 * by the server's threads.
 */
@NullMarked
package io.millrace.console.page;

import org.jspecify.annotations.NullMarked;
