package io.penstock.feed;

import io.penstock.feed.Scalar.BoolScalar;
import io.penstock.feed.Scalar.FloatScalar;
import io.penstock.feed.Scalar.IntegerScalar;
import io.penstock.feed.Scalar.StringScalar;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads one YAML 1.2 document (core schema) into a tree.
 *
 * <h2>Why from events</h2>
 *
 * The tree is built from the parser's events, because the usual loaders lose what a feed needs: the
 * line of every value, keys given twice, and whether a number was written as an integer.
 *
 * <h2>Bounds</h2>
 *
 * Depth and the number of values, counted after aliases are resolved, are limited, so a small file
 * can't ask for much memory; an alias inside its own anchor is an error.
 */
final class YamlReader {
  private static final int MAX_CHARACTERS = 64 << 20;
  private static final int MAX_DEPTH = 64;
  private static final int MAX_VALUES = 2_000_000;

  private static final Pattern NULL = Pattern.compile("~|null|Null|NULL|");
  private static final Pattern BOOL = Pattern.compile("true|True|TRUE|false|False|FALSE");
  private static final Pattern DECIMAL = Pattern.compile("[-+]?[0-9]+");
  private static final Pattern OCTAL = Pattern.compile("0o[0-7]+");
  private static final Pattern HEX = Pattern.compile("0x[0-9a-fA-F]+");
  private static final Pattern FLOAT =
      Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");
  private static final Pattern INFINITY = Pattern.compile("[-+]?(\\.inf|\\.Inf|\\.INF)");
  private static final Pattern NAN = Pattern.compile("\\.nan|\\.NaN|\\.NAN");
  private static final String TAG = "tag:yaml.org,2002:";

  private record Anchored(YamlNode node, int values) {}

  /** Ends the reading; the error has been added. */
  private static final class Unreadable extends Exception {
    private static final long serialVersionUID = 1L;
  }

  private final FeedErrors errors;
  private final Iterator<Event> events;
  private final Map<String, Anchored> anchors = new HashMap<>();
  private int values;

  private YamlReader(String text, FeedErrors errors) {
    this.errors = errors;
    LoadSettings settings = LoadSettings.builder().setCodePointLimit(MAX_CHARACTERS).build();
    this.events = new Parse(settings).parseString(text).iterator();
  }

  /** The document's root; empty if it can't be read, and then {@code errors} says why. */
  static Optional<YamlNode> read(String text, FeedErrors errors) {
    try {
      return Optional.of(new YamlReader(text, errors).document());
    } catch (Unreadable e) {
      return Optional.empty();
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().or(e::getContextMark).map(YamlReader::line).orElse(1);
      errors.add(line, "not YAML: " + oneLine(e.getProblem()) + context(e, line));
    } catch (ReaderException e) {
      int line = 1 + (int) text.codePoints().limit(e.getPosition()).filter(c -> c == '\n').count();
      errors.add(
          line, String.format("not YAML: character U+%04X is not allowed", e.getCodePoint()));
    } catch (YamlEngineException e) {
      errors.add(1, "not YAML: " + oneLine(e.getMessage()));
    }
    return Optional.empty();
  }

  private static String oneLine(String text) {
    return text == null ? "syntax error" : text.replaceAll("\\s*\\R\\s*", " ").strip();
  }

  private static String context(MarkedYamlEngineException e, int line) {
    return e.getContextMark()
        .map(YamlReader::line)
        .filter(from -> from != line && e.getContext() != null)
        .map(from -> " (" + oneLine(e.getContext()) + " that begins in line " + from + ")")
        .orElse("");
  }

  private static int line(Mark mark) {
    return mark.getLine() + 1;
  }

  private static int line(Event event) {
    return event.getStartMark().map(YamlReader::line).orElse(1);
  }

  private Unreadable fail(int line, String message) {
    errors.add(line, message);
    return new Unreadable();
  }

  private YamlNode document() throws Unreadable {
    events.next();
    Event start = events.next();
    if (start.getEventId() == Event.ID.StreamEnd) {
      throw fail(1, "the file is empty");
    }
    YamlNode root = node(events.next(), 0);
    events.next();
    Event next = events.next();
    if (next.getEventId() != Event.ID.StreamEnd) {
      throw fail(line(next), "must be one YAML document; a second one begins here");
    }
    return root;
  }

  private YamlNode node(Event event, int depth) throws Unreadable {
    int line = line(event);
    if (depth > MAX_DEPTH) {
      throw fail(line, "nested deeper than " + MAX_DEPTH + " levels");
    }
    if (event instanceof AliasEvent alias) {
      String anchor = alias.getAlias().getValue();
      Anchored target = anchors.get(anchor);
      if (target == null) {
        throw fail(line, "alias '*" + anchor + "' stands for no value before it");
      }
      count(target.values(), line);
      return target.node();
    }
    int before = values;
    count(1, line);
    YamlNode node;
    if (event instanceof ScalarEvent scalar) {
      node = scalar(scalar, line);
    } else if (event instanceof MappingStartEvent mapping) {
      checkTag(mapping.getTag(), "map", line);
      node = mapping(line, depth);
    } else {
      checkTag(((CollectionStartEvent) event).getTag(), "seq", line);
      node = sequence(line, depth);
    }
    ((NodeEvent) event)
        .getAnchor()
        .ifPresent(a -> anchors.put(a.getValue(), new Anchored(node, values - before)));
    return node;
  }

  private void count(int more, int line) throws Unreadable {
    values += more;
    if (values > MAX_VALUES) {
      throw fail(line, "more than " + MAX_VALUES + " values, aliases resolved");
    }
  }

  private YamlNode sequence(int line, int depth) throws Unreadable {
    List<YamlNode> items = new ArrayList<>();
    for (Event e = events.next(); e.getEventId() != Event.ID.SequenceEnd; e = events.next()) {
      items.add(node(e, depth + 1));
    }
    return new YamlNode.Sequence(items, line);
  }

  private YamlNode mapping(int line, int depth) throws Unreadable {
    Map<String, YamlNode.Mapping.Entry> entries = new LinkedHashMap<>();
    for (Event e = events.next(); e.getEventId() != Event.ID.MappingEnd; e = events.next()) {
      int keyLine = line(e);
      YamlNode key = node(e, depth + 1);
      YamlNode value = node(events.next(), depth + 1);
      if (key instanceof YamlNode.Value v && v.scalar() instanceof StringScalar name) {
        var first = entries.putIfAbsent(name.value(), new YamlNode.Mapping.Entry(keyLine, value));
        if (first != null) {
          errors.add(
              keyLine, "key '" + name.value() + "' is given twice, first in line " + first.line());
        }
      } else {
        errors.add(keyLine, "a key must be a string: " + key.describe() + "; put it in quotes");
      }
    }
    return new YamlNode.Mapping(entries, line);
  }

  private void checkTag(Optional<String> tag, String expected, int line) throws Unreadable {
    if (tag.isPresent() && !tag.get().equals(TAG + expected) && !tag.get().equals("!")) {
      throw fail(line, "tag '" + tag.get() + "' is not allowed here");
    }
  }

  private YamlNode scalar(ScalarEvent event, int line) throws Unreadable {
    String text = event.getValue();
    checkSurrogates(text, line);
    Optional<YamlNode> node;
    if (event.getTag().isEmpty()) {
      node = event.isPlain() ? plain(text, line) : string(text, line);
    } else {
      String tag = event.getTag().get();
      node =
          switch (tag) {
            case "!", TAG + "str" -> string(text, line);
            case TAG + "int" -> plain(text, line).filter(n -> isA(n, IntegerScalar.class));
            case TAG + "float" -> asFloat(plain(text, line), line);
            case TAG + "bool" -> plain(text, line).filter(n -> isA(n, BoolScalar.class));
            case TAG + "null" -> plain(text, line).filter(YamlNode.Null.class::isInstance);
            default -> throw fail(line, "tag '" + tag + "' is not allowed here");
          };
    }
    if (node.isEmpty()) {
      throw fail(line, "tag '" + event.getTag().orElse("") + "' does not fit: " + text);
    }
    return node.get();
  }

  private static boolean isA(YamlNode node, Class<? extends Scalar> kind) {
    return node instanceof YamlNode.Value value && kind.isInstance(value.scalar());
  }

  private static Optional<YamlNode> asFloat(Optional<YamlNode> node, int line) {
    return node.flatMap(
        n -> {
          if (n instanceof YamlNode.Value v && v.scalar() instanceof IntegerScalar whole) {
            return Optional.of(
                new YamlNode.Value(new FloatScalar(whole.value().doubleValue()), line));
          }
          return isA(n, FloatScalar.class) ? Optional.of(n) : Optional.empty();
        });
  }

  private static Optional<YamlNode> string(String text, int line) {
    return Optional.of(new YamlNode.Value(new StringScalar(text), line));
  }

  private Optional<YamlNode> plain(String text, int line) throws Unreadable {
    if (NULL.matcher(text).matches()) {
      return Optional.of(new YamlNode.Null(line));
    }
    return Optional.of(new YamlNode.Value(plainScalar(text, line), line));
  }

  private Scalar plainScalar(String text, int line) throws Unreadable {
    if (BOOL.matcher(text).matches()) {
      return new BoolScalar(text.charAt(0) == 't' || text.charAt(0) == 'T');
    }
    if (DECIMAL.matcher(text).matches()) {
      return new IntegerScalar(new BigInteger(text));
    }
    if (OCTAL.matcher(text).matches()) {
      return new IntegerScalar(new BigInteger(text.substring(2), 8));
    }
    if (HEX.matcher(text).matches()) {
      return new IntegerScalar(new BigInteger(text.substring(2), 16));
    }
    if (FLOAT.matcher(text).matches()) {
      double value = Double.parseDouble(text);
      if (Double.isInfinite(value)) {
        throw fail(line, "out of the range of float64: " + text);
      }
      return new FloatScalar(value);
    }
    if (INFINITY.matcher(text).matches()) {
      return new FloatScalar(
          text.charAt(0) == '-' ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY);
    }
    if (NAN.matcher(text).matches()) {
      return new FloatScalar(Double.NaN);
    }
    return new StringScalar(text);
  }

  private void checkSurrogates(String text, int line) throws Unreadable {
    if (text.codePoints()
        .anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
      throw fail(line, "a string must be Unicode text; it has half a surrogate pair");
    }
  }
}
