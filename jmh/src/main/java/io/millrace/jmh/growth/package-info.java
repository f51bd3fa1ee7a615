/**
 * Curves of what costs grow with, and their charts as SVG. Runs on the command's thread; uses the
 * load tool, and knows nothing of commands.
 */
@NullMarked
package io.millrace.jmh.growth;

import org.jspecify.annotations.NullMarked;
