package io.penstock.config;

/**
 * How column chunks are decoded.
 *
 * @param pageChecksums what is done with the checksums that pages can carry
 * @param footerBytes about how much memory parsed footers may take in a container
 */
public record DecodeSettings(PageChecksums pageChecksums, long footerBytes) {
  /** What is done with the checksums that pages can carry. */
  public enum PageChecksums {
    VERIFIED,
    IGNORED
  }

  static DecodeSettings from(SettingsReader reader) {
    return new DecodeSettings(
        reader.get(Known.DECODE_PAGE_CHECKSUMS), reader.get(Known.DECODE_FOOTER_MEMORY));
  }
}
