/**
 * The console in a real browser, as those meet it who use it: they click and read. May use what the
 * console is made of, to find out what there is to click. The tests' threads drive one browser.
 */
@NullMarked
package io.millrace.console.browser;

import org.jspecify.annotations.NullMarked;
