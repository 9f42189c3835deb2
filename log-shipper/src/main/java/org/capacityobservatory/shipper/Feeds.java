package org.capacityobservatory.shipper;

import java.io.InputStream;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** All sources of a shipper that are no files. */
final class Feeds implements AutoCloseable {
  private final List<Feed> all = new ArrayList<>();

  /**
   * Opens them all.
   *
   * @param stdin what {@link FeedConfig.Stdin} reads
   * @throws ShipperException if one can't be read at all on this host
   */
  Feeds(
      ShipperConfig config,
      Positions positions,
      Outlet outlet,
      InstantSource clock,
      NanoClock nanoClock,
      InputStream stdin) {
    try {
      for (FeedConfig feed : config.feeds()) {
        all.add(open(feed, config, positions, outlet, clock, nanoClock, stdin));
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private static Feed open(
      FeedConfig feed,
      ShipperConfig config,
      Positions positions,
      Outlet outlet,
      InstantSource clock,
      NanoClock nanoClock,
      InputStream stdin) {
    String name = config.sourcePrefix() + name(feed, config);
    FeedRecord at = positions.feeds().get(name);
    FeedRecord.Kind kind;
    String path;
    Tap tap;
    Ledger ledger;
    if (feed instanceof FeedConfig.Stdin) {
      kind = FeedRecord.Kind.STDIN;
      path = "standard input";
      tap = new StdinTap(stdin);
      ledger = Ledger.NONE;
    } else if (feed instanceof FeedConfig.Journald journald) {
      kind = FeedRecord.Kind.JOURNALD;
      path = journald.unit().isEmpty() ? "the journal" : "the journal of " + journald.unit();
      JournalLedger cursors = new JournalLedger(at);
      JournalTap journal = new JournalTap(journald, config.once(), cursors);
      journal.startOrRefuse(nanoClock.nanoTime());
      tap = journal;
      ledger = cursors;
    } else if (feed instanceof FeedConfig.CloudWatch cloudWatch) {
      kind = FeedRecord.Kind.CLOUDWATCH;
      path = "log group " + cloudWatch.group();
      CloudWatchLedger events = new CloudWatchLedger(at, cloudWatch.since().toEpochMilli());
      tap = new CloudWatchTap(cloudWatch, new AwsEventPages(cloudWatch), events, config.once());
      ledger = events;
    } else {
      throw new IllegalArgumentException("No such feed: " + feed);
    }
    return new Feed(name, path, kind, tap, ledger, at, clock.millis(), config, outlet);
  }

  /** Where a feed's lines come from, in one word; the host's name stands for the host's journal. */
  static String name(FeedConfig feed, ShipperConfig config) {
    if (feed instanceof FeedConfig.Journald journald) {
      String unit = journald.unit().isEmpty() ? "" : "/" + journald.unit();
      return "journald:" + ShipperConfig.hostName() + unit;
    }
    if (feed instanceof FeedConfig.CloudWatch cloudWatch) {
      return "cloudwatch:" + cloudWatch.region() + ":" + cloudWatch.group();
    }
    return "stdin:" + config.identity();
  }

  List<Feed> all() {
    return all;
  }

  /** Whether each of them comes to an end without being told to. */
  boolean endByThemselves() {
    return !all.isEmpty() && all.stream().allMatch(Feed::endsByItself);
  }

  boolean areEnded() {
    return all.stream().allMatch(Feed::isEnded);
  }

  /**
   * Reads on from what can't be read again; once more where it was at its end.
   *
   * @return whether there may be something to commit
   */
  boolean readFleeting(byte[] buffer, long nowMillis) {
    boolean any = false;
    for (Feed feed : all) {
      if (feed.endsByItself() && !feed.isEnded()) {
        boolean unused = feed.read(buffer, nowMillis, 0);
        any = true;
      }
    }
    return any;
  }

  void stop() {
    all.forEach(Feed::stop);
  }

  void rewind(Positions positions) {
    all.forEach(feed -> feed.rewind(positions.feeds().get(feed.sourceName())));
  }

  long unacknowledged() {
    return all.stream().mapToLong(Feed::unacknowledged).sum();
  }

  @Override
  public void close() {
    all.forEach(Feed::close);
  }
}
