package io.millrace.spi.testkit.fault;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A switch that stands ready to freeze a process and to cut the power of its disks, within a
 * millisecond or two of being told to.
 *
 * <p>It holds the disks: they can be powered up when it is closed.
 */
public final class PowerSwitch implements AutoCloseable {

  /**
   * The program of the switch. A thread that is stopped is in no system call: no flush is under
   * way.
   */
  private static final String SCRIPT =
      """
      $| = 1;
      my $pid = shift @ARGV;
      my @disks = map { open(my $d, "<", $_) or die "$_: $!"; $d } @ARGV;
      print "ready\\n";
      while (my $word = <STDIN>) {
        if ($word =~ /freeze/) {
          kill "STOP", $pid;
          for (my $moving = 1; $moving; ) {
            $moving = 0;
            for my $file (glob "/proc/$pid/task/*/stat") {
              open(my $stat, "<", $file) or next;
              my $line = <$stat>;
              $moving = 1 if defined $line and $line !~ /.*\\) [TXZ]/;
            }
          }
        } else {
          for my $disk (@disks) {
            my $flags = pack("L", 2);
            ioctl($disk, 0x8004587d, $flags) or die $!;
          }
        }
        print "done\\n";
      }
      """;

  private final Process process;

  private PowerSwitch(Process process) {
    this.process = process;
  }

  /** Creates a switch, and returns when it is ready. */
  public static PowerSwitch of(long pid, Iterable<FragileDisk> disks) throws IOException {
    List<String> command = new ArrayList<>(List.of("perl", "-e", SCRIPT, Long.toString(pid)));
    disks.forEach(disk -> command.add(disk.folder().toString()));
    PowerSwitch ready =
        new PowerSwitch(
            new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    ready.expect("ready");
    return ready;
  }

  /** Stops all threads of the process where they are. */
  public void freeze() throws IOException {
    tell("freeze");
  }

  /** Cuts the power of all disks: from then on nothing reaches any of them. */
  public void cut() throws IOException {
    tell("cut");
  }

  private void tell(String word) throws IOException {
    process.outputWriter(UTF_8).write(word + "\n");
    process.outputWriter(UTF_8).flush();
    expect("done");
  }

  private void expect(String word) throws IOException {
    assertThat(process.inputReader(UTF_8).readLine()).isEqualTo(word);
  }

  /** Lets go of the disks. */
  @Override
  public void close() throws IOException {
    process.outputWriter(UTF_8).close();
    Machine.join(process);
  }
}
