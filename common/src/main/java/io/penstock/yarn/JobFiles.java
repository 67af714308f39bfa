package io.penstock.yarn;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The names of a job's files, the same in its staging folder and in the working folder of every
 * process of it.
 *
 * <pre>
 *   job.json              JobRequest
 *   job.xml               the submitter's whole Hadoop configuration, penstock.* settings included
 *   FEED.feed.yaml        the feed file as written
 *   FEED.catalog.json.gz  made by the ApplicationMaster; that of the earlier job if it goes on
 *   resume.json           Resumption, if the job goes on from another
 *   named-HASH            a file that a feed names; HASH is of the path as the feed writes it
 *   penstock/             the unpacked distribution; not in staging
 * </pre>
 */
public final class JobFiles {
  public static final String REQUEST = "job.json";
  public static final String CONFIGURATION = "job.xml";

  public static final String RESUMPTION = "resume.json";

  /** Where the distribution's archive is unpacked. */
  public static final String DISTRIBUTION = "penstock";

  private static final int HASH_BYTES = 16;

  private JobFiles() {}

  public static String feed(String feed) {
    return feed + ".feed.yaml";
  }

  public static String catalog(String feed) {
    return feed + ".catalog.json.gz";
  }

  /** The name of a file that a feed names by {@code path}. */
  public static String named(String path) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(path.getBytes(StandardCharsets.UTF_8));
      return "named-" + HexFormat.of().formatHex(digest, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Reads a file that a feed names from a process's working folder.
   *
   * @param path as the feed writes it
   */
  public static byte[] readNamed(Path folder, String path) throws IOException {
    try {
      return Files.readAllBytes(folder.resolve(named(path)));
    } catch (NoSuchFileException e) {
      throw new IOException("it is not among the job's files", e);
    }
  }
}
