package io.millrace.cli.serve;

import io.millrace.cli.command.CannotException;
import io.millrace.cli.command.Checked;
import io.millrace.cli.text.Reason;
import io.millrace.server.Role;
import io.millrace.server.ServerSetup;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * A file with the tokens of a server: lines of roles, a token, and the queues that it is for if not
 * for all; others begin with {@code #}.
 */
final class TokenFile {

  /** A line of the file; without queues if the token is for all of them. */
  private record Line(Set<Role> roles, Optional<Set<String>> queues) {

    ServerSetup add(ServerSetup setup, String token) {
      return queues.isPresent()
          ? setup.token(token, roles, queues.get())
          : setup.token(token, roles);
    }
  }

  private TokenFile() {}

  /**
   * Lets those in who have a token of the file. What is told of a wrong line is its number, never
   * the token.
   *
   * @throws CannotException the file cannot be read
   * @throws ParameterException a line is wrong, or there is no token
   */
  static void read(CommandLine command, Path file, ServerSetup setup) {
    List<String> lines;
    try {
      lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new CannotException("--tokens cannot be read: " + Reason.of(e), e);
    }
    Map<String, Line> byToken = new LinkedHashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        String[] words = line.split("\\s+");
        if (words.length < 2 || words.length > 3) {
          throw wrong(command, file, i, "expected ROLE,ROLE TOKEN or ROLE,ROLE TOKEN QUEUE,QUEUE");
        }
        Optional<Set<String>> queues =
            words.length == 3
                ? Optional.of(Set.copyOf(List.of(words[2].split(","))))
                : Optional.empty();
        byToken.put(words[1], new Line(roles(command, file, i, words[0]), queues));
      }
    }
    if (byToken.isEmpty()) {
      throw new ParameterException(command, "--tokens has no token: " + file);
    }
    byToken.forEach((token, line) -> Checked.value(command, () -> line.add(setup, token)));
  }

  private static Set<Role> roles(CommandLine command, Path file, int index, String words) {
    Set<Role> roles = EnumSet.noneOf(Role.class);
    for (String word : words.split(",")) {
      try {
        roles.add(Role.valueOf(word.toUpperCase(Locale.ROOT)));
      } catch (IllegalArgumentException e) {
        throw wrong(command, file, index, "no such role, possible=enqueue, work, operate, read");
      }
    }
    return roles;
  }

  private static ParameterException wrong(CommandLine command, Path file, int index, String why) {
    return new ParameterException(
        command, "--tokens, line %d of %s: %s".formatted(index + 1, file, why));
  }
}
