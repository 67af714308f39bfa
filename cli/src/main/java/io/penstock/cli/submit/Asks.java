package io.penstock.cli.submit;

import io.penstock.config.Settings;
import io.penstock.model.UsageException;
import io.penstock.yarn.RankResource;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceInformation;

/**
 * What a job asks of YARN for each of its processes.
 *
 * @param am for the ApplicationMaster
 * @param rank for each rank
 */
record Asks(RankResource am, RankResource rank) {
  static Asks of(Settings settings) {
    return new Asks(
        new RankResource(settings.am().memoryBytes(), settings.am().vcores(), 0),
        new RankResource(
            settings.container().memoryBytes(),
            settings.container().vcores(),
            settings.container().gpus()));
  }

  /**
   * Checks them against the largest container that the ResourceManager would give.
   *
   * @throws UsageException that names everything that is too large
   */
  void check(Resource largest) {
    List<String> errors = new ArrayList<>();
    tooLarge("the ApplicationMaster", am.toYarn(), largest, errors);
    tooLarge("a rank", rank.toYarn(), largest, errors);
    if (!errors.isEmpty()) {
      throw new UsageException(errors);
    }
  }

  private static void tooLarge(String who, Resource ask, Resource largest, List<String> errors) {
    for (ResourceInformation part : ask.getResources()) {
      long most = largest.getResourceValue(part.getName());
      if (part.getValue() > most) {
        errors.add(
            "must be <= the largest container of the cluster: %s asks for %s=%d, largest %d"
                .formatted(who, part.getName(), part.getValue(), most));
      }
    }
  }
}
