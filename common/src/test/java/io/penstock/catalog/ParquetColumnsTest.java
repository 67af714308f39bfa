package io.penstock.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.catalog.LeafColumn.ListLevel;
import io.penstock.catalog.LeafColumn.Meaning;
import io.penstock.catalog.LeafColumn.Physical;
import io.penstock.catalog.LeafColumn.Unit;
import io.penstock.model.ColumnSchema;
import java.util.List;
import java.util.Set;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParquetColumnsTest {
  private static ParquetColumns columns(String fields) {
    return ParquetColumns.of(MessageTypeParser.parseMessageType("message m { " + fields + " }"));
  }

  private static String type(ParquetColumns columns, String name) {
    return columns.leaf(name).orElseThrow().type().toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "boolean x | boolean",
        "int32 x | integer",
        "int64 x | integer",
        "int32 x (INTEGER(8,true)) | integer",
        "int32 x (INTEGER(16,false)) | integer",
        "int32 x (INTEGER(32,false)) | integer",
        "int64 x (INTEGER(64,true)) | integer",
        "int64 x (INTEGER(64,false)) | unsigned",
        "int32 x (UINT_8) | integer",
        "float x | float",
        "double x | float",
        "int32 x (DECIMAL(9,2)) | decimal(scale 2)",
        "int64 x (DECIMAL(18,0)) | decimal(scale 0)",
        "fixed_len_byte_array(16) x (DECIMAL(38,9)) | decimal(scale 9)",
        "binary x (DECIMAL(60,5)) | decimal(scale 5)",
        "int32 x (DATE) | date",
        "int32 x (TIME(MILLIS,true)) | time",
        "int64 x (TIME(NANOS,false)) | time",
        "int64 x (TIMESTAMP(MICROS,true)) | timestamp",
        "int64 x (TIMESTAMP_MILLIS) | timestamp",
        "int96 x | timestamp",
        "binary x | bytes",
        "binary x (STRING) | bytes",
        "binary x (ENUM) | bytes",
        "binary x (JSON) | bytes",
        "fixed_len_byte_array(5) x | bytes",
        "fixed_len_byte_array(16) x (UUID) | bytes",
        "fixed_len_byte_array(2) x (FLOAT16) | float",
      })
  void everySupportedTypeBecomesWhatTheFeedPageSays(String field, String type) {
    assertEquals(type, type(columns("required " + field + ";"), "x"));
    assertEquals(type, type(columns("optional " + field + ";"), "x"));
    assertEquals("list<" + type + ">", type(columns("repeated " + field + ";"), "x"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fixed_len_byte_array(12) x (INTERVAL) | fixed_len_byte_array(12) (INTERVAL)",
        "binary x (BSON) | binary (BSON)",
      })
  void anUnsupportedScalarIsNamedWithItsType(String field, String declared) {
    ParquetColumns columns = columns("required " + field + ";");
    assertTrue(columns.leaf("x").isEmpty());
    assertEquals(
        "column 'x' has the type " + declared + ", which is not supported",
        columns.refusal("x").orElseThrow());
  }

  @Test
  void theMeaningTellsHowStoredValuesAreRead() {
    ParquetColumns columns =
        columns(
            "required int32 u16 (INTEGER(16,false)); required int64 ns (TIMESTAMP(NANOS,true));"
                + " required int32 ms (TIME(MILLIS,true)); required int96 old;"
                + " required fixed_len_byte_array(7) d (DECIMAL(16,3));"
                + " required fixed_len_byte_array(2) h (FLOAT16); required int32 day (DATE);"
                + " required double plain;");
    assertEquals(new Meaning.Whole(16, false), columns.leaf("u16").orElseThrow().meaning());
    assertEquals(new Meaning.Timestamp(Unit.NANOS), columns.leaf("ns").orElseThrow().meaning());
    assertEquals(new Meaning.Time(Unit.MILLIS), columns.leaf("ms").orElseThrow().meaning());
    assertEquals(new Meaning.Int96Timestamp(), columns.leaf("old").orElseThrow().meaning());
    LeafColumn decimal = columns.leaf("d").orElseThrow();
    assertEquals(new Meaning.Decimal(16, 3), decimal.meaning());
    assertEquals(Physical.FIXED, decimal.physical());
    assertEquals(7, decimal.fixedLength());
    assertEquals(4, decimal.index());
    assertEquals(new Meaning.Float16(), columns.leaf("h").orElseThrow().meaning());
    assertEquals(new Meaning.Date(), columns.leaf("day").orElseThrow().meaning());
    assertEquals(new Meaning.Plain(), columns.leaf("plain").orElseThrow().meaning());
  }

  /** The forms that the Parquet format's page on logical types lists, and what it says they are. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // Three levels, the form of today.
        "optional group x (LIST) { repeated group list { optional int32 element; } } | list<integer> | 0,2",
        "required group x (LIST) { repeated group list { required int32 element; } } | list<integer> | 0,1",
        "optional group x (LIST) { repeated group bag { optional int32 array_element; } } | list<integer> | 0,2",
        "optional group x (LIST) { repeated group element { required int32 str; } } | list<integer> | 0,2",
        // Two levels.
        "optional group x (LIST) { repeated int32 element; } | list<integer> | 0,2",
        "required group x (LIST) { repeated int32 array; } | list<integer> | 0,1",
        // No annotation.
        "repeated int32 x; | list<integer> | 0,1",
        // Lists of lists.
        "optional group x (LIST) { repeated group list { optional group element (LIST) { repeated group list { optional int32 element; } } } } | list<list<integer>> | 0,2 2,4",
        "optional group x (LIST) { repeated group array (LIST) { repeated int32 array; } } | list<list<integer>> | 0,2 2,3",
        "optional group x (LIST) { repeated group x_tuple (LIST) { repeated group list { optional int32 element; } } } | list<list<integer>> | 0,2 2,3",
        "repeated group x (LIST) { repeated int32 array; } | list<list<integer>> | 0,1 1,2",
      })
  void everyFormOfListHasItsAxesAndLevels(String fields, String type, String levels) {
    LeafColumn leaf = columns(fields).leaf("x").orElseThrow();
    assertEquals(type, leaf.type().toString());
    StringBuilder seen = new StringBuilder();
    for (ListLevel level : leaf.lists()) {
      seen.append(level.presentLevel()).append(',').append(level.elementLevel()).append(' ');
    }
    assertEquals(levels, seen.toString().strip());
    assertEquals(leaf.lists().size(), leaf.maxRepetition());
  }

  @Test
  void aListThatIsNullOneThatIsEmptyAndANullItemHaveLevelsOfTheirOwn() {
    LeafColumn leaf =
        columns("optional group x (LIST) { repeated group list { optional int32 element; } }")
            .leaf("x")
            .orElseThrow();
    ListLevel list = leaf.lists().get(0);
    assertTrue(list.nullable());
    assertEquals(1, list.emptyLevel());
    assertEquals(2, leaf.itemLevel());
    assertEquals(3, leaf.maxDefinition());
    assertTrue(leaf.nullable());
    LeafColumn required =
        columns("required group x (LIST) { repeated int32 array; }").leaf("x").orElseThrow();
    assertFalse(required.lists().get(0).nullable());
    assertFalse(required.nullable());
  }

  /** Rules 2 and 4 of the format's backward-compatibility list make these lists of structs. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "optional group x (LIST) { repeated group element { required binary a; required int32 b; } } | x.element.b",
        "optional group x (LIST) { repeated group array { required int32 b; } } | x.array.b",
        "optional group x (LIST) { repeated group x_tuple { required int32 b; } } | x.x_tuple.b",
        "optional group x (LIST) { repeated group list { required group element { required int32 b; } } } | x.list.element.b",
        "repeated group x { required int32 b; } | x.b",
      })
  void aListOfStructsIsReadByItsLeaves(String fields, String leaf) {
    ParquetColumns columns = columns(fields);
    assertEquals(
        "column 'x' has the type list<STRUCT>, which is not supported",
        columns.refusal("x").orElseThrow());
    assertEquals("list<integer>", type(columns, leaf));
  }

  @Test
  void aStructIsReadByItsLeavesAndListsInItAlsoByTheirOwnPath() {
    ParquetColumns columns =
        columns(
            "optional group s { required int32 a; optional group t { optional double b; }"
                + " optional group tags (LIST) { repeated group list { optional binary element (STRING); } } }");
    assertEquals(
        List.of("s", "s.a", "s.t.b", "s.tags", "s.tags.list.element"),
        columns.schema().stream().map(ColumnSchema::path).toList());
    assertEquals("STRUCT", columns.column("s").orElseThrow().declared());
    LeafColumn a = columns.leaf("s.a").orElseThrow();
    assertEquals("integer", a.type().toString());
    assertTrue(a.nullable(), "the struct around it can be null");
    assertEquals(2, columns.leaf("s.t.b").orElseThrow().index() + 1);
    assertEquals("list<bytes>", type(columns, "s.tags"));
    assertEquals(
        columns.leaf("s.tags").orElseThrow().path(),
        columns.leaf("s.tags.list.element").orElseThrow().path());
    assertEquals(new ListLevel(0, 3), columns.leaf("s.tags").orElseThrow().lists().get(0));
    assertFalse(columns.column("s.a").orElseThrow().topLevel());
  }

  @Test
  void aMapIsNotAColumnButItsLeavesAreLists() {
    ParquetColumns columns =
        columns(
            "optional group m (MAP) { repeated group key_value { required binary key (STRING);"
                + " optional int32 value; } }");
    assertEquals("MAP", columns.column("m").orElseThrow().declared());
    assertTrue(columns.leaf("m").isEmpty());
    assertEquals("list<bytes>", type(columns, "m.key_value.key"));
    assertEquals("list<integer>", type(columns, "m.key_value.value"));
  }

  @Test
  void aTopLevelListHasItsLeafPathAsASecondName() {
    ParquetColumns columns =
        columns("optional group x (LIST) { repeated group list { optional int32 element; } }");
    assertEquals("list<integer>", type(columns, "x.list.element"));
    assertEquals("list<int32>", columns.column("x.list.element").orElseThrow().declared());
    assertEquals(1, columns.distinct().size());
  }

  @Test
  void aNameOfTwoColumnsIsRefused() {
    ParquetColumns columns =
        ParquetColumns.of(
            new MessageType(
                "m",
                Types.required(PrimitiveTypeName.INT32).named("a.b"),
                Types.requiredGroup().required(PrimitiveTypeName.INT32).named("b").named("a")));
    assertEquals("column 'a.b' is the name of two columns", columns.refusal("a.b").orElseThrow());
    assertTrue(columns.leaf("a.b").isEmpty());
    assertEquals(3, columns.schema().size());
  }

  @Test
  void anEncryptedColumnIsRefused() {
    ParquetColumns columns =
        ParquetColumns.of(
            MessageTypeParser.parseMessageType("message m { required int32 x; required int32 y; }"),
            Set.of(List.of("x")));
    assertEquals(
        "column 'x' has the type int32, encrypted, which is not supported",
        columns.refusal("x").orElseThrow());
    assertTrue(columns.leaf("y").isPresent());
  }

  @Test
  void aListWithoutASingleRepeatedFieldIsRefused() {
    MessageType message =
        new MessageType(
            "m",
            Types.optionalGroup()
                .as(LogicalTypeAnnotation.listType())
                .optional(PrimitiveTypeName.INT32)
                .named("element")
                .named("x"));
    assertEquals(
        "column 'x' has the type LIST without a single repeated field, which is not supported",
        ParquetColumns.of(message).refusal("x").orElseThrow());
  }

  @Test
  void aColumnThatIsNotThereIsSaidSo() {
    assertEquals("there is no column 'y'", columns("required int32 x;").refusal("y").orElseThrow());
  }
}
