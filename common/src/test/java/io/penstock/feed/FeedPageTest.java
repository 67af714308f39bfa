package io.penstock.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every feed of docs/feed.md is one, and together they have every op. */
class FeedPageTest {
  private static final Pattern BLOCK = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

  private static List<String> blocks() throws IOException {
    Matcher matcher = BLOCK.matcher(Files.readString(Path.of("..", "docs", "feed.md")));
    List<String> blocks = new ArrayList<>();
    while (matcher.find()) {
      blocks.add(matcher.group(1));
    }
    return blocks;
  }

  private static Feed parse(String block) {
    return FeedParser.parse(block, "docs/feed.md", FeedPageTest::named);
  }

  private static byte[] named(String path) {
    String statistics =
        "{\"columns\": {\"fare\": {\"mean\": 1, \"std\": 2}, \"tip\": {\"mean\": 1, \"std\": 2}}}";
    return (path.endsWith(".json") ? statistics : "Oslo\n").getBytes(StandardCharsets.UTF_8);
  }

  @TestFactory
  Stream<DynamicTest> everyBlockIsAFeed() throws IOException {
    return blocks().stream()
        .map(
            block ->
                DynamicTest.dynamicTest(
                    block, () -> assertTrue(parse(block).tensors().size() > 0, block)));
  }

  @Test
  void togetherTheyHaveEveryOp() throws IOException {
    Set<String> ops = new TreeSet<>();
    for (String block : blocks()) {
      parse(block).tensors().forEach(tensor -> tensor.ops().forEach(op -> ops.add(op.name())));
    }
    assertEquals(
        Set.of(
            "fill",
            "clip",
            "log1p",
            "standardize",
            "bucketize",
            "hash",
            "vocabulary",
            "unscaled",
            "pad",
            "decode",
            "class"),
        ops);
  }
}
