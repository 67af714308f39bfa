package io.penstock.container;

import io.penstock.yarn.ExitStatus;
import io.penstock.yarn.RankIdentity;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The process of one rank. Its last lines say why it ended. */
public final class Main {
  private static final Logger LOG = LoggerFactory.getLogger(Main.class);

  private Main() {}

  public static void main(String[] arguments) {
    int code = ExitStatus.INTERNAL.code();
    try {
      RankIdentity identity = RankIdentity.of(System.getenv());
      LOG.info(
          "event=start application={} container={} host={} feed={} rank={} generation={} vcores={}"
              + " memory={} pid={}",
          identity.application(),
          identity.container(),
          identity.host(),
          identity.feed(),
          identity.rank(),
          identity.generation(),
          identity.vcores(),
          identity.memoryBytes(),
          ProcessHandle.current().pid());
      ExitStatus status = new RankProcess(identity, Path.of("").toAbsolutePath()).run();
      LOG.info("event=end status={} code={}", status, status.code());
      code = status.code();
    } catch (Throwable failure) {
      LOG.error("event=end status={} code={}", ExitStatus.INTERNAL, code, failure);
    } finally {
      System.exit(code);
    }
  }
}
