package io.penstock.feed;

import io.penstock.feed.Op.DecodeImage;
import io.penstock.feed.Op.DecodeImage.Resize;
import io.penstock.feed.Scalar.BoolScalar;
import io.penstock.feed.Scalar.FloatScalar;
import io.penstock.feed.Scalar.IntegerScalar;
import io.penstock.feed.Scalar.StringScalar;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the ops that hand values to other code: decoders and the user's own classes. */
final class CodeOps {
  private static final Pattern CLASS_NAME =
      Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$]*(\\.[\\p{L}_$][\\p{L}\\p{N}_$]*)*");

  private final FileShelf shelf;
  private final FeedErrors errors;

  CodeOps(FileShelf shelf, FeedErrors errors) {
    this.shelf = shelf;
    this.errors = errors;
  }

  Optional<ParsedOp> decode(Fields fields) {
    if (fields.has("image") == fields.has("npy")) {
      fields.error("needs either image or npy: " + fields.place());
      return Optional.empty();
    }
    Optional<List<String>> columns = fields.someStrings("columns");
    if (fields.has("image")) {
      return fields
          .inner("image", List.of("height", "width", "channels", "resize"))
          .flatMap(image -> image(image, columns, fields));
    }
    fields.inner("npy", List.of());
    return fields.failed()
        ? Optional.empty()
        : Optional.of(
            ParsedOp.of(new Op.DecodeNpy(columns), Map.of("npy", Map.of()), fields.line()));
  }

  private static Optional<ParsedOp> image(
      Fields fields, Optional<List<String>> columns, Fields decode) {
    List.of("height", "width", "channels").forEach(fields::required);
    int height = fields.positiveInt("height").orElse(1);
    int width = fields.positiveInt("width").orElse(1);
    int channels = fields.positiveInt("channels").orElse(1);
    if (channels != 1 && channels != 3) {
      fields.error("channels", "must be 1 or 3: " + fields.place() + ".channels=" + channels);
    }
    Resize resize =
        fields.word("resize", List.of(Resize.values()), Resize::text).orElse(Resize.NONE);
    if (decode.failed()) {
      return Optional.empty();
    }
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("height", height);
    settings.put("width", width);
    settings.put("channels", channels);
    settings.put("decoder", DecodeImage.DECODER);
    if (resize != Resize.NONE) {
      settings.put("resize", resize.text());
    }
    Op op = new DecodeImage(height, width, channels, resize, columns);
    return Optional.of(ParsedOp.of(op, Map.of("image", settings), decode.line()));
  }

  Optional<ParsedOp> userClass(Fields fields) {
    String name = fields.string("class").orElse("");
    if (!name.isEmpty() && !CLASS_NAME.matcher(name).matches()) {
      fields.error(
          "class", "must be the full name of a class: " + fields.place() + ".class=" + name);
    }
    Optional<NamedFile> jar = shelf.file(fields, "jar");
    Map<String, Object> args =
        fields
            .node("args")
            .flatMap(
                node -> Fields.mapping(node, fields.place() + ".args", fields.line("args"), errors))
            .map(CodeOps::tree)
            .orElse(Map.of());
    if (fields.failed()) {
      return Optional.empty();
    }
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("name", name);
    jar.ifPresent(file -> settings.put("jar", FileShelf.canonical(file)));
    if (!args.isEmpty()) {
      settings.put("args", args);
    }
    Op op = new Op.UserClass(name, jar.map(NamedFile::path), args);
    return Optional.of(ParsedOp.of(op, settings, fields.line()));
  }

  private static Map<String, Object> tree(YamlNode.Mapping mapping) {
    Map<String, Object> tree = new LinkedHashMap<>();
    mapping.entries().forEach((key, entry) -> tree.put(key, tree(entry.value())));
    return Collections.unmodifiableMap(tree);
  }

  private static Object tree(YamlNode node) {
    if (node instanceof YamlNode.Mapping mapping) {
      return tree(mapping);
    } else if (node instanceof YamlNode.Sequence sequence) {
      List<Object> items = new ArrayList<>();
      sequence.items().forEach(item -> items.add(tree(item)));
      return Collections.unmodifiableList(items);
    } else if (node instanceof YamlNode.Value value) {
      return leaf(value.scalar());
    }
    return null;
  }

  private static Object leaf(Scalar scalar) {
    if (scalar instanceof IntegerScalar whole) {
      if (whole.value().bitLength() < Long.SIZE) {
        return whole.value().longValue();
      }
      return whole.value();
    } else if (scalar instanceof FloatScalar number) {
      return number.value();
    } else if (scalar instanceof StringScalar text) {
      return text.value();
    }
    return ((BoolScalar) scalar).value();
  }
}
