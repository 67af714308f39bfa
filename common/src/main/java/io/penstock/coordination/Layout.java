package io.penstock.coordination;

/**
 * Where the nodes lie. Every node holds one record as JSON, or nothing.
 *
 * <pre>
 * ROOT/jobs/APPLICATION/spec                        JobSpec, written once
 *                      /fence                       attempt and generation; its version is the fence
 *                      /state                       JobState
 *                      /am                          AmRecord, ephemeral
 *                      /kill                        KillRequest
 *                      /commit                      CommitRequest
 *                      /feeds/FEED/agreed           Agreed
 *                                 /ranks/RANK       Assignment
 *                                 /progress/RANK    RankProgress
 *                                 /epochs/EPOCH     EpochRecord, the newest 500
 *                      /containers/CONTAINER        ContainerRecord, ephemeral
 *                      /decisions/N                 Decision, the newest 500
 * ROOT/hosts/HOST/devices/ORDINAL                   DeviceRecord, ephemeral
 * ROOT/caches/KEY/HOST/SLOT                         CacheRecord
 * </pre>
 */
record Layout(String root) {
  String jobs() {
    return root + "/jobs";
  }

  String job(String application) {
    return jobs() + "/" + application;
  }

  String spec(String application) {
    return job(application) + "/spec";
  }

  String fence(String application) {
    return job(application) + "/fence";
  }

  String state(String application) {
    return job(application) + "/state";
  }

  String am(String application) {
    return job(application) + "/am";
  }

  String kill(String application) {
    return job(application) + "/kill";
  }

  String commit(String application) {
    return job(application) + "/commit";
  }

  String containers(String application) {
    return job(application) + "/containers";
  }

  String container(String application, String container) {
    return containers(application) + "/" + container;
  }

  String decisions(String application) {
    return job(application) + "/decisions";
  }

  String decision(String application, long n) {
    return decisions(application) + "/" + n;
  }

  String feed(String application, String feed) {
    return job(application) + "/feeds/" + feed;
  }

  String agreed(String application, String feed) {
    return feed(application, feed) + "/agreed";
  }

  String ranks(String application, String feed) {
    return feed(application, feed) + "/ranks";
  }

  String rank(String application, String feed, int rank) {
    return ranks(application, feed) + "/" + rank;
  }

  String progress(String application, String feed) {
    return feed(application, feed) + "/progress";
  }

  String progress(String application, String feed, int rank) {
    return progress(application, feed) + "/" + rank;
  }

  String epochs(String application, String feed) {
    return feed(application, feed) + "/epochs";
  }

  String epoch(String application, String feed, long epoch) {
    return epochs(application, feed) + "/" + epoch;
  }

  String devices(String host) {
    return root + "/hosts/" + host + "/devices";
  }

  String device(String host, int ordinal) {
    return devices(host) + "/" + ordinal;
  }

  String cache(String key, String host, int slot) {
    return root + "/caches/" + key + "/" + host + "/" + slot;
  }

  /** The last part of a path. */
  static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
