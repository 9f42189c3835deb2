package org.capacityobservatory.cli;

import org.capacityobservatory.api.ApiStartException;
import org.capacityobservatory.localstack.LocalStackException;
import org.capacityobservatory.shipper.ShipperException;
import org.capacityobservatory.sql.ClickHouseException;
import org.capacityobservatory.streams.RecomputeException;
import org.capacityobservatory.streams.StreamsStartException;

/** The failures whose message is one sentence for a person, so that no trace need be shown. */
final class Sentences {
  private Sentences() {}

  static boolean isSentence(Throwable e) {
    return e instanceof CommandException
        || e instanceof ApiStartException
        || e instanceof LocalStackException
        || e instanceof ShipperException
        || e instanceof RecomputeException
        || e instanceof StreamsStartException
        || e instanceof ClickHouseException;
  }
}
