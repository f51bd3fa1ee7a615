package io.millrace.cli.place;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.AttachOperationFailedException;
import com.sun.tools.attach.VirtualMachine;
import com.sun.tools.attach.VirtualMachineDescriptor;
import java.io.IOException;

/**
 * The management agent of another Java process of this machine. The only class that needs the
 * module jdk.attach, which not every Java has.
 */
final class LocalAgent {

  private LocalAgent() {}

  /**
   * Starts the agent if it does not run, and returns the address at which only this machine reaches
   * it.
   */
  static String start(long pid)
      throws AttachNotSupportedException, AttachOperationFailedException, IOException {
    VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
    try {
      return machine.startLocalManagementAgent();
    } finally {
      machine.detach();
    }
  }

  /** Tells whether the process is known as one that runs Java. */
  static boolean isListed(long pid) {
    return VirtualMachine.list().stream()
        .map(VirtualMachineDescriptor::id)
        .anyMatch(Long.toString(pid)::equals);
  }
}
