package org.capacityobservatory.api;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.capacityobservatory.sql.ClickHouseConfig;

/**
 * Where the API listens and what it reads.
 *
 * @param host a loopback address to listen on, or {@code localhost}: without tokens nothing else
 *     may reach the API
 * @param port the port, 0 for a free one
 * @param clickHouse where the data is; the user should be able to read only
 * @param limits what one query may cost
 */
public record ApiConfig(String host, int port, ClickHouseConfig clickHouse, QueryLimits limits) {
  /** The host to listen on unless another is given. */
  public static final String DEFAULT_HOST = "127.0.0.1";

  // Literals only: a name could be resolved to something else later.
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127(\\.(25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}|\\[?(::1|(0:){7}1)]?");

  /**
   * Checks all values.
   *
   * @throws IllegalArgumentException naming every value that is wrong
   */
  public ApiConfig {
    List<String> problems = new ArrayList<>();
    if (!LOOPBACK.matcher(host).matches()) {
      problems.add(
          "API host '"
              + host
              + "': without tokens the API listens on loopback only, for example on 127.0.0.1");
    }
    if (port < 0 || port > 65_535) {
      problems.add("API port " + port + ": use 1 to 65535, or 0 for a free one");
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", problems));
    }
  }

  /** Reads this ClickHouse on a free port of 127.0.0.1 with the usual limits. */
  public static ApiConfig of(ClickHouseConfig clickHouse) {
    return new ApiConfig(DEFAULT_HOST, 0, clickHouse, QueryLimits.DEFAULT);
  }
}
