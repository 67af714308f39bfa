package io.penstock.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops and starts servers on request: one request a line, one answer a line, {@code OK <request>}
 * or {@code ERROR <request>: <why>}. Ends at {@code quit} or at the end of the input.
 */
final class ControlLine {
  private static final Logger LOG = LoggerFactory.getLogger(ControlLine.class);

  private final Hdfs hdfs;
  private final ZooKeeper zooKeeper;

  ControlLine(Hdfs hdfs, ZooKeeper zooKeeper) {
    this.hdfs = hdfs;
    this.zooKeeper = zooKeeper;
  }

  void serve(InputStream requests, PrintStream answers) throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(requests, StandardCharsets.UTF_8));
    String line;
    while ((line = lines.readLine()) != null) {
      String request = line.strip();
      if (request.isEmpty()) {
        continue;
      }
      if (request.equals("quit")) {
        answers.println("OK quit");
        return;
      }
      answers.println(answer(request));
    }
  }

  private String answer(String request) {
    LOG.info("event=control request={}", request);
    try {
      carryOut(request.split(" +"));
      return "OK " + request;
    } catch (Exception e) {
      LOG.warn("event=control-failed request={}", request, e);
      return "ERROR " + request + ": " + String.valueOf(e.getMessage()).replace('\n', ' ');
    }
  }

  private void carryOut(String[] words) throws Exception {
    switch (words[0]) {
      case "stop-zookeeper" -> zooKeeper.stopServing();
      case "start-zookeeper" -> zooKeeper.startServing();
      case "stop-namenode" -> hdfs.stopNameNode();
      case "start-namenode" -> hdfs.startNameNode();
      case "stop-datanode" -> hdfs.stopDataNode(number(words));
      case "start-datanode" -> hdfs.startDataNode(number(words));
      default ->
          throw new IllegalArgumentException(
              "must be one of stop-|start-zookeeper, stop-|start-namenode, stop-|start-datanode N,"
                  + " quit");
    }
  }

  private static int number(String[] words) {
    if (words.length != 2 || !words[1].matches("[0-9]{1,3}")) {
      throw new IllegalArgumentException("must name one DataNode by its number, from 1");
    }
    return Integer.parseInt(words[1]);
  }
}
