/** The tests of workers, workflows and traps by way of a server, and of what its tokens allow. */
package io.millrace.model.remote;
