package io.penstock.catalog;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.model.ColumnSchema;
import io.penstock.model.ColumnType;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * The text of a catalog. Its bytes name the catalog, so nothing here may change without a new
 * version number.
 *
 * <pre>
 *   {"penstock_catalog":3,
 *    "columns":["fare",..],
 *    "schema":[{"path","top_level","kind"|null,"scale","list_depth","declared","partition"},..],
 *    "files":[{"path","length","modified","footer","partitions":{"day":"1"|null},
 *              "row_groups":[[ordinal, rows, compressed bytes, uncompressed bytes, largest column's bytes,
 *                             decoded bytes],..]},..]}
 * </pre>
 */
final class CatalogText {
  private static final int VERSION = 3;
  private static final ObjectMapper MAPPER =
      new ObjectMapper(
          JsonFactory.builder()
              .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
              .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
              .build());

  private CatalogText() {}

  static String digest(
      List<CatalogFile> files,
      List<RowGroupInfo> rowGroups,
      List<ColumnSchema> schema,
      List<String> columns) {
    MessageDigest digest = Sha256.start();
    try (OutputStream out = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
      generate(files, rowGroups, schema, columns, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Sha256.hex(digest);
  }

  static void write(Catalog catalog, OutputStream out) throws IOException {
    GZIPOutputStream zipped = new GZIPOutputStream(out, 1 << 16);
    generate(catalog.files(), catalog.rowGroups(), catalog.schema(), catalog.columns(), zipped);
    zipped.finish();
  }

  private static void generate(
      List<CatalogFile> files,
      List<RowGroupInfo> rowGroups,
      List<ColumnSchema> schema,
      List<String> columns,
      OutputStream out)
      throws IOException {
    try (JsonGenerator json = MAPPER.getFactory().createGenerator(out, JsonEncoding.UTF8)) {
      json.writeStartObject();
      json.writeNumberField("penstock_catalog", VERSION);
      json.writeArrayFieldStart("columns");
      for (String column : columns) {
        json.writeString(column);
      }
      json.writeEndArray();
      json.writeArrayFieldStart("schema");
      for (ColumnSchema column : schema) {
        column(json, column);
      }
      json.writeEndArray();
      json.writeArrayFieldStart("files");
      int next = 0;
      for (int file = 0; file < files.size(); file++) {
        file(json, files.get(file));
        json.writeArrayFieldStart("row_groups");
        for (; next < rowGroups.size() && rowGroups.get(next).file() == file; next++) {
          RowGroupInfo rowGroup = rowGroups.get(next);
          json.writeStartArray();
          json.writeNumber(rowGroup.ordinal());
          json.writeNumber(rowGroup.rows());
          json.writeNumber(rowGroup.compressedBytes());
          json.writeNumber(rowGroup.uncompressedBytes());
          json.writeNumber(rowGroup.largestChunkBytes());
          json.writeNumber(rowGroup.decodedBytes());
          json.writeEndArray();
        }
        json.writeEndArray();
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
  }

  private static void column(JsonGenerator json, ColumnSchema column) throws IOException {
    json.writeStartObject();
    json.writeStringField("path", column.path());
    json.writeBooleanField("top_level", column.topLevel());
    if (column.type().isPresent()) {
      ColumnType type = column.type().get();
      json.writeStringField("kind", type.kind().name().toLowerCase(Locale.ROOT));
      json.writeNumberField("scale", type.scale());
      json.writeNumberField("list_depth", type.listDepth());
    } else {
      json.writeNullField("kind");
    }
    json.writeStringField("declared", column.declared());
    json.writeBooleanField("partition", column.partition());
    json.writeEndObject();
  }

  private static void file(JsonGenerator json, CatalogFile file) throws IOException {
    json.writeStartObject();
    json.writeStringField("path", file.path());
    json.writeNumberField("length", file.length());
    json.writeNumberField("modified", file.modificationTime());
    json.writeStringField("footer", file.footerDigest());
    json.writeObjectFieldStart("partitions");
    for (Map.Entry<String, Optional<String>> value : file.partitions().entrySet()) {
      if (value.getValue().isPresent()) {
        json.writeStringField(value.getKey(), value.getValue().get());
      } else {
        json.writeNullField(value.getKey());
      }
    }
    json.writeEndObject();
  }

  static Catalog read(InputStream in) throws IOException {
    List<CatalogFile> files = new ArrayList<>();
    List<RowGroupInfo> rowGroups = new ArrayList<>();
    List<ColumnSchema> schema = new ArrayList<>();
    List<String> columns = new ArrayList<>();
    try (JsonParser json = MAPPER.getFactory().createParser(new GZIPInputStream(in, 1 << 16))) {
      require(json.nextToken() == JsonToken.START_OBJECT, "not an object");
      require("penstock_catalog".equals(json.nextFieldName()), "no version");
      require(json.nextIntValue(-1) == VERSION, "not version " + VERSION);
      startArray(json, "columns");
      while (json.nextToken() != JsonToken.END_ARRAY) {
        columns.add(json.getText());
      }
      startArray(json, "schema");
      while (json.nextToken() != JsonToken.END_ARRAY) {
        schema.add(column(MAPPER.readTree(json)));
      }
      startArray(json, "files");
      long firstRow = 0;
      while (json.nextToken() != JsonToken.END_ARRAY) {
        JsonNode file = MAPPER.readTree(json);
        for (JsonNode group : file.required("row_groups")) {
          RowGroupInfo rowGroup =
              new RowGroupInfo(
                  files.size(),
                  group.required(0).intValue(),
                  group.required(1).intValue(),
                  firstRow,
                  group.required(2).longValue(),
                  group.required(3).longValue(),
                  group.required(4).longValue(),
                  group.required(5).longValue());
          rowGroups.add(rowGroup);
          firstRow += rowGroup.rows();
        }
        files.add(file(file));
      }
      // One token more, so that gzip's own checksum is reached and looked at.
      require(json.nextToken() == JsonToken.END_OBJECT && json.nextToken() == null, "no end");
    } catch (IllegalArgumentException e) {
      throw new IOException("not a catalog: " + e.getMessage(), e);
    }
    return Catalog.of(files, rowGroups, schema, columns);
  }

  private static ColumnSchema column(JsonNode node) {
    Optional<ColumnType> type =
        node.required("kind").isNull()
            ? Optional.empty()
            : Optional.of(
                new ColumnType(
                    ColumnType.Kind.valueOf(
                        node.required("kind").textValue().toUpperCase(Locale.ROOT)),
                    node.required("scale").intValue(),
                    node.required("list_depth").intValue()));
    return new ColumnSchema(
        node.required("path").textValue(),
        node.required("top_level").booleanValue(),
        type,
        node.required("declared").textValue(),
        node.required("partition").booleanValue());
  }

  private static CatalogFile file(JsonNode node) {
    Map<String, Optional<String>> partitions = new LinkedHashMap<>();
    node.required("partitions")
        .properties()
        .forEach(
            entry ->
                partitions.put(entry.getKey(), Optional.ofNullable(entry.getValue().textValue())));
    return new CatalogFile(
        node.required("path").textValue(),
        node.required("length").longValue(),
        node.required("modified").longValue(),
        node.required("footer").textValue(),
        partitions);
  }

  private static void startArray(JsonParser json, String name) throws IOException {
    require(
        name.equals(json.nextFieldName()) && json.nextToken() == JsonToken.START_ARRAY,
        "no " + name);
  }

  private static void require(boolean holds, String problem) throws IOException {
    if (!holds) {
      throw new IOException("not a catalog: " + problem);
    }
  }
}
