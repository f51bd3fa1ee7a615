/**
 * The tests that every store must pass, and a store that fails on purpose.
 *
 * <p>The contract test classes are abstract and live in main, so that the module of each store can
 * extend them in its own tests; see {@link io.millrace.spi.testkit.StoreFixture}. The concrete ones
 * for store-memory live in this module's tests, because this module depends on store-memory and not
 * the other way round.
 *
 * <p>May depend on the SPI, store-memory, JUnit and AssertJ.
 */
@NullMarked
package io.millrace.spi.testkit;

import org.jspecify.annotations.NullMarked;
