package org.capacityobservatory.alarms;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A line in the evaluator's own log for each alarm. */
final class LogReceiver implements Receiver {
  private static final Logger log = LoggerFactory.getLogger("capacity.alarms");

  private final String name;
  private final AlertText text;

  LogReceiver(String name, AlertText text) {
    this.name = name;
    this.text = text;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void deliver(Notice notice) {
    log.warn("{} {}", text.title(notice), text.body(notice).replace('\n', ' '));
  }
}
