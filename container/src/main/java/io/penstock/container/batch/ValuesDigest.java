package io.penstock.container.batch;

/** Whether the values digest is computed; the order digest always is. */
public enum ValuesDigest {
  ON,
  OFF
}
