/** The tests of workers, workflows and traps by way of a server. */
package io.millrace.model.remote;
