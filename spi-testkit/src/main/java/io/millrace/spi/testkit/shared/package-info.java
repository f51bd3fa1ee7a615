/**
 * Contract tests of stores that several owners share, and a database in memory that two owners take
 * from each other and whose connections a test cuts wherever it likes.
 */
@NullMarked
package io.millrace.spi.testkit.shared;

import org.jspecify.annotations.NullMarked;
