package io.penstock.am.web;

import io.penstock.coordination.records.Agreed;
import io.penstock.coordination.records.Decision;
import io.penstock.coordination.records.EpochRecord;
import io.penstock.coordination.records.JobReport;
import io.penstock.coordination.records.JobReport.FeedReport;
import io.penstock.coordination.records.RankProgress;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** A job as one page without scripts. */
final class StatusPage {
  private static final String STYLE =
      "body{font:14px sans-serif;margin:2em}table{border-collapse:collapse;margin:0 0 1.5em}"
          + "td,th{padding:.2em .8em;border-bottom:1px solid #ddd;text-align:left}"
          + "td.n{text-align:right}code{font-size:12px}";

  private final StringBuilder out = new StringBuilder();

  private StatusPage() {}

  static String html(JobReport report) {
    return new StatusPage().page(report);
  }

  private String page(JobReport report) {
    String name = report.spec().map(spec -> spec.name()).orElse("");
    out.append("<!DOCTYPE html><html><head><meta charset=\"utf-8\">")
        .append("<meta http-equiv=\"refresh\" content=\"5\"><title>")
        .append(escaped(report.application() + " " + name))
        .append("</title><style>")
        .append(STYLE)
        .append("</style></head><body><h1>")
        .append(escaped(name.isEmpty() ? report.application() : name))
        .append("</h1>");
    facts(report);
    report.feeds().forEach(this::feed);
    decisions(report.decisions());
    out.append("<p><a href=\"json\">JSON</a></p></body></html>\n");
    return out.toString();
  }

  private void facts(JobReport report) {
    out.append("<table>");
    fact("application", report.application());
    report
        .spec()
        .ifPresent(
            spec -> {
              fact("user, queue", spec.user() + ", " + spec.queue());
              fact("Penstock", spec.version());
            });
    report
        .state()
        .ifPresent(
            state -> {
              fact(
                  "state", state.state() + (state.reason().isEmpty() ? "" : ": " + state.reason()));
              fact(
                  "attempt, generation, restarts",
                  state.attempts() + ", " + state.generation() + ", " + state.restarts());
            });
    report.am().ifPresent(am -> fact("ApplicationMaster", am.address() + " pid " + am.pid()));
    out.append("</table>");
  }

  private void feed(String name, FeedReport feed) {
    out.append("<h2>Feed ").append(escaped(name)).append("</h2>");
    feed.agreed().map(Agreed::cursor).ifPresent(c -> out.append("<p>agreed cursor ").append(c));
    row(
        "th",
        "rank",
        "phase",
        "host",
        "device",
        "container",
        "cursor",
        "rows/s",
        "wait",
        "cache",
        "retries");
    for (RankProgress rank : feed.progress()) {
      row(
          "td",
          rank.rank(),
          rank.phase() + rank.failure().map(f -> ": " + f.message()).orElse(""),
          rank.host(),
          rank.device(),
          rank.container(),
          rank.cursor(),
          number("%.0f", rank.rowsPerSecond()),
          percent(rank.waitShare()),
          percent(rank.cacheShare()),
          rank.retries());
    }
    out.append("</table>");
    row(
        "th",
        "epoch",
        "steps",
        "rows",
        "padding",
        "seconds",
        "wait",
        "from storage",
        "from cache",
        "again",
        "order",
        "values");
    for (EpochRecord epoch : feed.epochs()) {
      row(
          "td",
          epoch.epoch(),
          epoch.steps(),
          epoch.rows(),
          epoch.padding(),
          number("%.1f", epoch.seconds()),
          percent(epoch.waitShare()),
          epoch.fromStorage(),
          epoch.fromCache(),
          epoch.deliveredAgain(),
          epoch.order(),
          epoch.values());
    }
    out.append("</table>");
  }

  private void decisions(List<Decision> decisions) {
    out.append("<h2>Decisions</h2>");
    row("th", "n", "time", "kind", "detail");
    for (int i = decisions.size() - 1; i >= 0; i--) {
      Decision decision = decisions.get(i);
      row(
          "td",
          decision.n(),
          Instant.ofEpochMilli(decision.timeMillis()),
          decision.kind(),
          decision.detail());
    }
    out.append("</table>");
  }

  private void fact(String name, Object value) {
    row("td", name, value);
  }

  /** A head row begins a table. */
  private void row(String cell, Object... values) {
    out.append(cell.equals("th") ? "<table><tr>" : "<tr>");
    for (Object value : values) {
      out.append('<').append(cell);
      out.append(cell.equals("td") && value instanceof Number ? " class=\"n\">" : ">");
      out.append(escaped(String.valueOf(value))).append("</").append(cell).append('>');
    }
    out.append("</tr>");
  }

  private static String percent(double share) {
    return number("%.1f %%", 100 * share);
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
