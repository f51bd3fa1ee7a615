package io.millrace.cli.command;

import io.millrace.protocol.MillraceVersion;
import picocli.CommandLine.IVersionProvider;

/** The version that this was built as. */
final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() {
    return new String[] {
      "millrace " + MillraceVersion.text(),
      "Java " + System.getProperty("java.version") + ", " + System.getProperty("java.vendor")
    };
  }
}
