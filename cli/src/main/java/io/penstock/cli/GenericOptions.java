package io.penstock.cli;

import io.penstock.model.UsageException;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * Hadoop's generic options, taken out of a command line wherever they stand.
 *
 * @param generic for Hadoop's own parser
 * @param rest the command and its own options, in the order given
 */
record GenericOptions(List<String> generic, List<String> rest) {
  private static final Set<String> WITH_VALUE = Set.of("conf", "fs", "jt");
  private static final Set<String> UNUSED = Set.of("files", "libjars", "archives");

  GenericOptions {
    generic = List.copyOf(generic);
    rest = List.copyOf(rest);
  }

  /**
   * Takes them out; what follows {@code --} stays.
   *
   * @throws UsageException if one of them lacks its value or has no use here
   */
  static GenericOptions split(List<String> arguments) {
    List<String> generic = new ArrayList<>();
    List<String> rest = new ArrayList<>();
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      if (argument.equals("--")) {
        rest.addAll(arguments.subList(i, arguments.size()));
        break;
      }
      if (argument.startsWith("-D")) {
        String definition =
            argument.length() > 2 ? argument.substring(2) : value(arguments, ++i, "-D");
        if (definition.indexOf('=') < 1) {
          throw new UsageException("must be -D name=value: " + definition);
        }
        generic.add("-D");
        generic.add(definition);
        continue;
      }
      Optional<String> name = name(argument);
      if (name.filter(UNUSED::contains).isPresent()) {
        throw new UsageException(
            argument
                + " has no use here: a job's own code is named in its feed file (`class`, `jar`)");
      }
      if (name.filter(WITH_VALUE::contains).isEmpty()) {
        rest.add(argument);
        continue;
      }
      int equals = argument.indexOf('=');
      String value = equals < 0 ? value(arguments, ++i, argument) : argument.substring(equals + 1);
      generic.add("-" + name.get());
      generic.add(value);
      if (name.get().equals("conf") && !new File(value).isFile()) {
        throw new UsageException("there is no such file: -conf " + value);
      }
    }
    return new GenericOptions(generic, rest);
  }

  private static Optional<String> name(String argument) {
    if (!argument.startsWith("-")) {
      return Optional.empty();
    }
    String name = argument.startsWith("--") ? argument.substring(2) : argument.substring(1);
    int equals = name.indexOf('=');
    return Optional.of(equals < 0 ? name : name.substring(0, equals));
  }

  private static String value(List<String> arguments, int i, String option) {
    if (i >= arguments.size()) {
      throw new UsageException("needs a value: " + option);
    }
    return arguments.get(i);
  }

  /** Runs a tool on a configuration that has them. */
  int run(Configuration configuration, Tool tool) throws Exception {
    return ToolRunner.run(configuration, tool, generic.toArray(String[]::new));
  }
}
