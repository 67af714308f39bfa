package io.penstock.cli.commands;

import io.penstock.cli.console.Command;
import io.penstock.cli.console.CommandContext;
import io.penstock.cli.console.Console;
import io.penstock.cli.console.ExitCode;
import io.penstock.config.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Says what can be set. */
@CommandLine.Command(
    description = "Prints every setting with its default and its meaning, as Markdown or JSON.")
final class SettingsCommand implements Command {
  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  /** One setting of {@code penstock-default.xml}. */
  private record Entry(String name, String standard, String meaning) {
    /** {@code penstock.load.workers} belongs to {@code load}. */
    String component() {
      return name.split("\\.")[1];
    }
  }

  @Override
  public ExitCode run(CommandContext context) throws IOException {
    List<Entry> entries = entries();
    Console console = context.console();
    if (console.format() == Console.Format.JSON) {
      console.json(entries.stream().map(SettingsCommand::json).toList());
    } else {
      page(entries).forEach(console::print);
    }
    return ExitCode.DONE;
  }

  private static Map<String, String> json(Entry entry) {
    Map<String, String> json = new LinkedHashMap<>();
    json.put("name", entry.name());
    json.put("default", entry.standard());
    json.put("description", entry.meaning());
    return json;
  }

  private static List<Entry> entries() throws IOException {
    try (InputStream in = Settings.class.getClassLoader().getResourceAsStream(Settings.DEFAULTS)) {
      if (in == null) {
        throw new IllegalStateException(Settings.DEFAULTS + " is not on the class path");
      }
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      NodeList properties = factory.newDocumentBuilder().parse(in).getElementsByTagName("property");
      List<Entry> entries = new ArrayList<>();
      for (int i = 0; i < properties.getLength(); i++) {
        Element property = (Element) properties.item(i);
        entries.add(
            new Entry(
                text(property, "name"), text(property, "value"), text(property, "description")));
      }
      return entries;
    } catch (ParserConfigurationException | SAXException e) {
      throw new IllegalStateException(Settings.DEFAULTS + " can't be read", e);
    }
  }

  private static String text(Element property, String tag) {
    return property
        .getElementsByTagName(tag)
        .item(0)
        .getTextContent()
        .strip()
        .replaceAll("\\s+", " ");
  }

  private static List<String> page(List<Entry> entries) {
    List<String> lines = new ArrayList<>();
    lines.add("# Settings");
    lines.add("");
    lines.add(
        "<!-- Made of conf/penstock-default.xml by `bin/penstock settings`; change it there. -->");
    lines.add("");
    lines.add(
        "Set them in `penstock-site.xml` beside Hadoop's files, or as `-D name=value` on the command line.");
    lines.add(
        "Sizes are whole numbers with b, k, m, g or t (each 1024 of the last); durations have the unit ns, us, ms, s, m, h or d.");
    lines.add(
        "No setting can change a delivered byte or its place in the order: that is the [feed file](feed.md)'s alone.");
    String component = "";
    for (Entry entry : entries) {
      if (!entry.component().equals(component)) {
        component = entry.component();
        lines.add("");
        lines.add("## " + component);
        lines.add("");
        lines.add("| setting | default | meaning |");
        lines.add("|---|---|---|");
      }
      lines.add(
          "| `%s` | %s | %s |"
              .formatted(
                  entry.name(),
                  entry.standard().isEmpty() ? "–" : "`" + entry.standard() + "`",
                  entry.meaning().replace("|", "\\|")));
    }
    return lines;
  }
}
