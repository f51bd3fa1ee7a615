package io.millrace.cli.clients;

import io.millrace.api.ConnectedClient;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.command.MillraceCommand;
import io.millrace.cli.option.FilledConverter;
import io.millrace.cli.option.JsonOption;
import io.millrace.cli.option.ServerOptions;
import io.millrace.cli.place.ServerTarget;
import io.millrace.cli.text.JsonLines;
import io.millrace.cli.text.TextTable;
import io.millrace.cli.text.TextTable.Align;
import io.millrace.console.text.Amounts;
import io.millrace.console.text.DescribedJson;
import io.millrace.console.text.Printable;
import io.millrace.describe.Descriptions;
import java.io.PrintWriter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Shows who is connected to a server. */
@Command(
    name = "clients",
    description = {
      "Shows the programs that are connected to a server, this one included: host and process,"
          + " version, address, calls under way, leases held.",
      "'millrace inspect SERVER --state leased' shows the jobs of these leases. Callers by HTTP are"
          + " not shown: they have no connection."
    })
public final class ClientsCommand extends MillraceCommand {

  @Parameters(
      paramLabel = "SERVER",
      converter = FilledConverter.class,
      description = "The server, such as millrace://localhost:7171.")
  private String location = "";

  @Mixin private ServerOptions server = new ServerOptions();
  @Mixin private JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    CommandLine command = command();
    List<ConnectedClient> clients;
    try (ServerTarget target =
        server
            .connect(command, location)
            .orElseThrow(
                () ->
                    new ParameterException(
                        command,
                        "only a server has clients: say millrace://HOST:PORT, not "
                            + Printable.text(location)))) {
      clients = target.clients();
    }
    PrintWriter out = out();
    if (json.isJson()) {
      clients.forEach(
          client ->
              JsonLines.print(
                  out, generator -> DescribedJson.write(Descriptions.CLIENT, client, generator)));
    } else {
      printTable(clients, out);
    }
    out.flush();
    return ExitCode.OK;
  }

  private static void printTable(List<ConnectedClient> clients, PrintWriter out) {
    TextTable table =
        new TextTable()
            .column("CLIENT", Align.LEFT)
            .column("VERSION", Align.LEFT)
            .column("ADDRESS", Align.LEFT)
            .column("SINCE", Align.LEFT)
            .column("CALLS", Align.RIGHT)
            .column("LEASES", Align.RIGHT)
            .column("CONNECTION", Align.LEFT);
    for (ConnectedClient client : clients) {
      table.row(
          List.of(
              Printable.text(client.described()),
              Printable.text(client.version()),
              Printable.text(client.address()),
              client.since().truncatedTo(ChronoUnit.SECONDS).toString(),
              Amounts.count(client.callCount()),
              Amounts.count(client.leaseCount()),
              client.isConnected() ? "there" : "broken"));
    }
    table.print(out);
  }
}
