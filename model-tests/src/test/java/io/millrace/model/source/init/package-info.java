/** Classes whose initialization can deadlock, for the test that looks for such. */
package io.millrace.model.source.init;
