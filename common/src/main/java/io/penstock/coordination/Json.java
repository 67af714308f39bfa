package io.penstock.coordination;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.penstock.model.Digest128;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Records as JSON: digests as hex, absent values left out, unknown fields ignored. */
public final class Json {
  /** The largest record that is written; ZooKeeper cannot read back what is near 1 MiB. */
  static final int MAX_BYTES = 256 * 1024;

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .addModule(new Jdk8Module())
          .addModule(
              new SimpleModule()
                  .addSerializer(Digest128.class, new DigestWriter())
                  .addDeserializer(Digest128.class, new DigestReader()))
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(SerializationFeature.INDENT_OUTPUT)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(
                  JsonInclude.Include.NON_ABSENT, JsonInclude.Include.ALWAYS))
          .build();

  private Json() {}

  /** A record as indented JSON text, for people and for {@code --json}. */
  public static String text(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("no JSON for " + value.getClass().getName(), e);
    }
  }

  /**
   * A record as the bytes of a node.
   *
   * @throws IllegalArgumentException if it is larger than 256 KiB
   */
  static byte[] bytes(String path, Object value) {
    byte[] bytes;
    try {
      bytes = MAPPER.writer().without(SerializationFeature.INDENT_OUTPUT).writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("no JSON for " + value.getClass().getName(), e);
    }
    if (bytes.length > MAX_BYTES) {
      throw new IllegalArgumentException(
          "must be <= " + MAX_BYTES + " bytes: node=" + path + " bytes=" + bytes.length);
    }
    return bytes;
  }

  /**
   * Reads a record; fields that this version does not know are ignored.
   *
   * @param path what is read, for the message
   * @throws IllegalStateException if it is no such record
   */
  public static <T> T read(String path, byte[] bytes, Class<T> type) {
    try {
      return MAPPER.readValue(bytes, type);
    } catch (IOException e) {
      String text = new String(bytes, 0, Math.min(bytes.length, 200), StandardCharsets.UTF_8);
      throw new IllegalStateException(
          "not a record: node=" + path + " type=" + type.getSimpleName() + " begins=" + text, e);
    }
  }

  private static final class DigestWriter extends StdSerializer<Digest128> {
    private static final long serialVersionUID = 1L;

    DigestWriter() {
      super(Digest128.class);
    }

    @Override
    public void serialize(Digest128 value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeString(value.hex());
    }
  }

  private static final class DigestReader extends StdDeserializer<Digest128> {
    private static final long serialVersionUID = 1L;

    DigestReader() {
      super(Digest128.class);
    }

    @Override
    public Digest128 deserialize(JsonParser in, DeserializationContext context) throws IOException {
      return Digest128.parse(in.getText());
    }
  }
}
