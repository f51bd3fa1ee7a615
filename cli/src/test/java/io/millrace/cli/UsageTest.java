package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.command.ExitCode;
import io.millrace.cli.fixture.CommandRun;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
final class UsageTest {

  private static final String NO_STORE =
      "missing required parameter: 'STORE', or --pid of the process that has it open";

  private static final String NO_PROCESS = "say which process runs the workers: --pid";

  @ParameterizedTest
  @MethodSource({"wrongCommandLines", "wrongLooksAtRunningEngines", "wrongLooksAtTables"})
  void execute_wrongCommandLine_saysWhatIsWrong(List<String> args, String message, String help) {
    CommandRun run = CommandRun.of(args.toArray(String[]::new));

    assertThat(run.err().lines())
        .containsExactly("millrace: " + message, "Try 'millrace" + help + " --help'.");
    assertThat(run.out()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
  }

  static Stream<Arguments> wrongLooksAtTables() {
    return Stream.of(
        wrong(
            "inspect x --table t --state dead",
            "--tables and --table go without --job, --jobs and conditions on either",
            " inspect"),
        wrong("inspect x --prefix a", "--prefix needs --table", " inspect"),
        wrong(
            "inspect x --table millrace.tables",
            "--table is no name of a table: table has a name that is the engine's own:"
                + " value=\"millrace.tables\"; choose one that does not begin with \"millrace.\"",
            " inspect"));
  }

  static Stream<Arguments> wrongCommandLines() {
    String id = "0".repeat(32);
    String states = "[READY, DELAYED, LEASED, BLOCKED, WAITING, DEAD, DONE]";
    return Stream.of(
        wrong("inspect", NO_STORE, " inspect"),
        wrong("verify", NO_STORE, " verify"),
        wrong("explain", "missing required parameter: '[STORE] ID'", " explain"),
        wrong("explain " + id, NO_STORE, " explain"),
        wrong(
            "explain x 12",
            "invalid value for parameter 'ID': a job id has 32 hexadecimal digits",
            " explain"),
        wrong("explain x " + id + " z", "unmatched argument at index 3: 'z'", " explain"),
        wrong("dead list", NO_STORE, " dead list"),
        wrong("verify a b", "unmatched argument at index 2: 'b'", " verify"),
        wrong("verify a\u001b b", "unmatched argument at index 2: 'b'", " verify"),
        wrong("inspect x --limit -1", "--limit is 0 for all, or a number of lines: -1", " inspect"),
        wrong("inspect x --all-tenants", "--all-tenants needs --queue", " inspect"),
        wrong(
            "inspect x --job 12",
            "invalid value for option '--job': a job id has 32 hexadecimal digits",
            " inspect"),
        wrong(
            "inspect x --job " + id + " --state dead",
            "--job goes without --jobs and any condition on queues or jobs",
            " inspect"),
        wrong(
            "inspect x --state gone",
            "invalid value for option '--state' (STATE): expected one of "
                + states
                + " (case-insensitive) but was 'gone'",
            " inspect"),
        wrong(
            "dead redrive x",
            "say which ones: --job, --queue or --all, one of them",
            " dead redrive"),
        wrong(
            "dead delete x --all --queue q",
            "say which ones: --job, --queue or --all, one of them",
            " dead delete"),
        wrong(
            "dead delete x --job " + id + " --error e",
            "--job goes with neither --error nor --older-than",
            " dead delete"),
        wrong(
            "dead list x --older-than soon",
            "invalid value for option '--older-than': an age is a number and s, m, h or d, such as"
                + " 15m",
            " dead list"),
        wrong("demo --workers 0", "--workers is from 1 to 256: 0", " demo"),
        wrong("demo --workers 257", "--workers is from 1 to 256: 257", " demo"),
        wrong(
            "demo --fail-every -1", "--fail-every is 0 for none, or a number of jobs: -1", " demo"),
        wrong(
            "demo --store disk",
            "invalid value for option '--store': expected one of [LMDB, ROCKSDB, MEMORY]"
                + " (case-insensitive) but was 'disk'",
            " demo"));
  }

  static Stream<Arguments> wrongLooksAtRunningEngines() {
    return Stream.of(
        wrong("top --once --count 2", "--once goes with no --count but 1: 2", " top"),
        wrong("top --interval 0", "--interval is from 0.1 to 3600 seconds: 0.0", " top"),
        wrong("top --count -1", "--count is 0 for no end, or a number of pages: -1", " top"),
        wrong("top --queues 1001", "--queues is from 0 to 1000: 1001", " top"),
        wrong("top", NO_STORE, " top"),
        wrong("workers", NO_PROCESS, " workers"),
        wrong("workers pause", NO_PROCESS, " workers pause"),
        wrong("workers --pid 1 --instance 2", "--instance needs --worker", " workers"),
        wrong(
            "workers concurrency", "missing required parameter: 'WEIGHT'", " workers concurrency"),
        wrong(
            "workers concurrency --pid 1 0",
            "WEIGHT is from 1 to 65535: 0",
            " workers concurrency"),
        wrong(
            "workers stop --pid 1 --grace -1",
            "--grace is from 0 to 86400 seconds: -1",
            " workers stop"),
        wrong("backup y", NO_STORE, " backup"),
        wrong("backup x y --store-name n", "--store-name needs --pid", " backup"),
        wrong("inspect x --store-name n", "--store-name needs --pid", " inspect"),
        wrong(
            "inspect --pid me",
            "invalid value for option '--pid': 'me' is not a long",
            " inspect"));
  }

  @Test
  void execute_queueNameTooLong_isRefused() {
    CommandRun run = CommandRun.of("inspect", "x", "--queue", "q".repeat(201));

    assertThat(run.err())
        .startsWith(
            "millrace: --queue is no queue name: name has a length out of range: value=\"qqq");
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void execute_misspeltCommand_suggestsTheRightOne() {
    CommandRun run = CommandRun.of("inspct");

    assertThat(run.err().lines())
        .containsExactly(
            "millrace: unmatched argument at index 0: 'inspct'",
            "Did you mean: millrace inspect or millrace console?",
            "Try 'millrace --help'.");
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void execute_help_explainsTheExitCodes(List<String> command) {
    String[] args = Stream.concat(command.stream(), Stream.of("--help")).toArray(String[]::new);

    CommandRun run = CommandRun.of(args);

    assertThat(run.out())
        .startsWith(String.join(" ", "Usage: millrace", String.join(" ", command)).strip())
        .contains("  1   done, and something found wrong: damaged rows, a store that is not sound")
        .contains("  3   cannot: store locked, damaged, full, not there");
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
  }

  static Stream<List<String>> commands() {
    return Stream.of(
        List.of(),
        List.of("demo"),
        List.of("inspect"),
        List.of("explain"),
        List.of("top"),
        List.of("console"),
        List.of("clients"),
        List.of("workers"),
        List.of("workers", "pause"),
        List.of("workers", "resume"),
        List.of("workers", "concurrency"),
        List.of("workers", "cancel"),
        List.of("workers", "stop"),
        List.of("queue"),
        List.of("queue", "pause"),
        List.of("queue", "resume"),
        List.of("queue", "drain"),
        List.of("queue", "end-lease"),
        List.of("queue", "purge"),
        List.of("queue", "delete"),
        List.of("queue", "settings"),
        List.of("queue", "configure"),
        List.of("job"),
        List.of("job", "cancel"),
        List.of("job", "release"),
        List.of("job", "reschedule"),
        List.of("job", "update"),
        List.of("batch"),
        List.of("batch", "list"),
        List.of("batch", "show"),
        List.of("batch", "cancel"),
        List.of("batch", "await"),
        List.of("reopen"),
        List.of("dead"),
        List.of("dead", "list"),
        List.of("dead", "export"),
        List.of("dead", "redrive"),
        List.of("dead", "delete"),
        List.of("verify"),
        List.of("backup"),
        List.of("restore"),
        List.of("copy"),
        List.of("repair"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "queue", "job", "batch", "dead"})
  void execute_commandThatOnlyGroupsOthers_showsItsHelp(String command) {
    String[] args = command.isEmpty() ? new String[0] : new String[] {command};

    CommandRun run = CommandRun.of(args);

    assertThat(run.out())
        .startsWith(("Usage: millrace " + command).strip() + " [-hV]")
        .contains("Without a command it shows this help.")
        .contains("Commands:");
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
  }

  @Test
  void execute_version_namesMillraceAndJava() {
    CommandRun run = CommandRun.of("--version");

    assertThat(run.out().lines().toList())
        .hasSize(2)
        .satisfies(
            lines -> {
              assertThat(lines.get(0)).matches("millrace \\d+\\.\\d+\\.\\d+.*");
              assertThat(lines.get(1)).startsWith("Java ");
            });
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
  }

  private static Arguments wrong(String commandLine, String message, String help) {
    List<String> args = commandLine.isEmpty() ? List.of() : List.of(commandLine.split(" "));
    return Arguments.of(args, message, help);
  }
}
