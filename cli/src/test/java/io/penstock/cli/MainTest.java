package io.penstock.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
  private static final String[] PLAN = {
    "plan", "--row-groups", "8", "--seed", "1", "--lanes", "1", "--batch", "2"
  };

  @Test
  void helpNamesTheCommandsAndHadoopsOptions() {
    Invocation help = Invocation.of("--help");
    assertEquals(0, help.code());
    assertTrue(help.out().contains("plan"), help.out());
    assertTrue(help.out().contains("-D name=value"), help.out());
    assertEquals("", help.err());
  }

  @Test
  void everyCommandHasHelp() {
    for (String command : io.penstock.cli.commands.Commands.all().keySet()) {
      Invocation help = Invocation.of(command, "--help");
      assertEquals(0, help.code());
      assertTrue(help.out().startsWith("Usage: penstock " + command), help.out());
      assertTrue(help.out().contains("-conf FILE"), help.out());
    }
  }

  @Test
  void versionIsThatOfTheBuild() {
    assertTrue(
        Invocation.of("--version").out().matches("penstock [0-9]+\\.[0-9]+\\.[0-9]+\\S*\\R"));
  }

  @Test
  void nothingAtAllIsRefusedWithHelp() {
    Invocation nothing = Invocation.of();
    assertEquals(2, nothing.code());
    assertEquals("", nothing.out());
    assertTrue(nothing.err().contains("Usage: penstock"), nothing.err());
  }

  @Test
  void anUnknownCommandNamesTheNearest() {
    Invocation wrong = Invocation.of("plna");
    assertEquals(2, wrong.code());
    assertTrue(
        wrong.err().contains("there is no such command: plna; did you mean 'plan'?"), wrong.err());
  }

  @Test
  void anUnknownOptionNamesTheNearest() {
    Invocation wrong = Invocation.of("plan", "--row-group", "1");
    assertEquals(2, wrong.code());
    assertTrue(
        wrong.err().contains("unknown argument: --row-group; did you mean '--row-groups'?"),
        wrong.err());
  }

  @Test
  void withJsonAFailureIsOneJsonValueToo() {
    Invocation wrong = Invocation.of("plan", "--json", "--row-group", "1");
    assertEquals(2, wrong.code());
    assertEquals(2, wrong.json().get("exit_code").intValue());
    assertTrue(wrong.json().get("error").textValue().contains("--row-group;"), wrong.out());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 9})
  void genericOptionsMayStandAnywhere(int place) {
    Invocation plain = Invocation.of(PLAN);
    for (String[] generic :
        new String[][] {{"-D", "a.b=c"}, {"-Da.b=c"}, {"-fs", "file:///"}, {"-jt", "local"}}) {
      String[] all = new String[PLAN.length + generic.length];
      System.arraycopy(PLAN, 0, all, 0, place);
      System.arraycopy(generic, 0, all, place, generic.length);
      System.arraycopy(PLAN, place, all, place + generic.length, PLAN.length - place);
      assertEquals(plain, Invocation.of(all));
    }
    assertEquals(0, plain.code());
  }

  @Test
  void aConfigurationFileThatIsNotThereIsRefused(@TempDir Path folder) throws Exception {
    String[] arguments = {"plan", "-conf", folder + "/no.xml", "--row-groups", "1"};
    Invocation missing = Invocation.of(arguments);
    assertEquals(2, missing.code());
    assertTrue(missing.err().contains("there is no such file: -conf " + folder), missing.err());
    Path file = Files.writeString(folder.resolve("yes.xml"), "<configuration/>");
    assertEquals(0, Invocation.of(with(PLAN, "-conf", file.toString())).code());
  }

  @ParameterizedTest
  @ValueSource(strings = {"-D", "-Dnovalue", "-files", "-conf"})
  void genericOptionsThatSayNothingAreRefused(String option) {
    Invocation wrong = Invocation.of(with(PLAN, option));
    assertEquals(2, wrong.code());
    assertEquals("", wrong.out());
    assertEquals(1, wrong.err().lines().count());
  }

  @Test
  void aSettingThatNobodyKnowsIsRefusedByEveryCommand() {
    Invocation wrong = Invocation.of(with(PLAN, "-Dpenstock.fetch.thread=1"));
    assertEquals(2, wrong.code());
    assertTrue(wrong.err().contains("did you mean 'penstock.fetch.threads'?"), wrong.err());
  }

  private static String[] with(String[] arguments, String... more) {
    String[] all = java.util.Arrays.copyOf(arguments, arguments.length + more.length);
    System.arraycopy(more, 0, all, arguments.length, more.length);
    return all;
  }
}
