package io.penstock.history;

import java.io.IOException;

/** Where the parts of a rank's certificate file are written; all calls may hang. */
interface CertificateParts extends AutoCloseable {
  /**
   * Begins a part.
   *
   * @param number 0, 1, ...; never the same twice
   */
  Part create(int number) throws IOException;

  @Override
  void close() throws IOException;

  /** A part that is being written. */
  interface Part {
    void write(byte[] bytes) throws IOException;

    /**
     * Makes what was written outlive this process.
     *
     * @return whether more can be written to this part
     */
    After keep() throws IOException;

    void close() throws IOException;
  }

  /** What follows once bytes were kept. */
  enum After {
    GOES_ON,
    NEXT_PART
  }
}
