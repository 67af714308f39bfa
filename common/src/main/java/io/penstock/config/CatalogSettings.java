package io.penstock.config;

import java.time.Duration;

/**
 * How the files of a dataset are listed and their footers read.
 *
 * @param threads footers and folders read at a time
 * @param timeout how long all of it may take
 * @param connectTimeout how long one request to a file system may take, retries included
 * @param memoryBytes of footers held at a time before they are made small
 * @param footerCacheDir folder of known footers; below the user's home folder if relative
 * @param footerCacheBytes of known footers of one dataset; 0 for none
 */
public record CatalogSettings(
    int threads,
    Duration timeout,
    Duration connectTimeout,
    long memoryBytes,
    String footerCacheDir,
    long footerCacheBytes) {
  static CatalogSettings from(SettingsReader reader) {
    return new CatalogSettings(
        reader.get(Known.CATALOG_THREADS),
        reader.get(Known.CATALOG_TIMEOUT),
        reader.get(Known.CATALOG_CONNECT_TIMEOUT),
        reader.get(Known.CATALOG_MEMORY),
        reader.get(Known.CATALOG_FOOTER_CACHE_DIR),
        reader.get(Known.CATALOG_FOOTER_CACHE));
  }
}
