package io.millrace.cli.option;

import io.millrace.cli.text.JsonLines;
import java.io.PrintWriter;
import picocli.CommandLine.Option;

/** The option that makes the output JSON, for programs. */
public final class JsonOption {

  @Option(
      names = "--json",
      description = "Write JSON for programs: one document, of lists one for each line.")
  private boolean isJson;

  public boolean isJson() {
    return isJson;
  }

  /** Writes an answer: for programs an object of these fields, for people this line. */
  public void answer(PrintWriter out, String line, JsonLines.Document fields) {
    if (isJson) {
      JsonLines.printObject(out, fields);
    } else {
      out.println(line);
    }
    out.flush();
  }
}
