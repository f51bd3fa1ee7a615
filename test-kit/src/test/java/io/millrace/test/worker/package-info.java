/**
 * What workers do over time and in sequence: retries, what handlers answer, schedules. In virtual
 * time, on the test's thread. What is about threads is tested in the module worker, in real time.
 */
package io.millrace.test.worker;
