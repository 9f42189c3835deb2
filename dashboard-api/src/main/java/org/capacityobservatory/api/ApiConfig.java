package org.capacityobservatory.api;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.jspecify.annotations.Nullable;

/**
 * Where the API listens and what it reads.
 *
 * @param host an address to listen on; one that isn't loopback needs a file of tokens and a proxy
 *     that speaks TLS
 * @param port the port, 0 for a free one
 * @param clickHouse where the data is; the user should be able to read only
 * @param limits what one query may cost
 * @param tokens the file of tokens, which need not be there yet; null without tokens for ever
 * @param publicUrl the https address of a TLS proxy in front of the API; null without one
 * @param stateWriter who may write views, calibrations and silences; null when nobody may
 */
public record ApiConfig(
    String host,
    int port,
    ClickHouseConfig clickHouse,
    QueryLimits limits,
    @Nullable Path tokens,
    @Nullable URI publicUrl,
    @Nullable ClickHouseConfig stateWriter) {
  /** The host to listen on unless another is given. */
  public static final String DEFAULT_HOST = "127.0.0.1";

  // Literals only: a name could be resolved to something else later.
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127(\\.(25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}|\\[?(::1|(0:){7}1)]?");

  private static final Pattern ADDRESS =
      Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}|\\[?[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*]?|[A-Za-z0-9.-]+");

  /**
   * Checks all values.
   *
   * @throws IllegalArgumentException naming every value that is wrong
   */
  public ApiConfig {
    List<String> problems = new ArrayList<>();
    if (!LOOPBACK.matcher(host).matches()) {
      checkWider(host, tokens, publicUrl, problems);
    }
    if (port < 0 || port > 65_535) {
      problems.add("API port " + port + ": use 1 to 65535, or 0 for a free one");
    }
    if (publicUrl != null && !isOrigin(publicUrl)) {
      problems.add(
          "address of the TLS proxy '"
              + publicUrl
              + "': use https://HOST or https://HOST:PORT, as browsers name it");
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", problems));
    }
  }

  /** Without tokens, proxy and state, so on loopback only. */
  public ApiConfig(String host, int port, ClickHouseConfig clickHouse, QueryLimits limits) {
    this(host, port, clickHouse, limits, null, null, null);
  }

  /** Reads this ClickHouse on a free port of 127.0.0.1 with the usual limits. */
  public static ApiConfig of(ClickHouseConfig clickHouse) {
    return new ApiConfig(DEFAULT_HOST, 0, clickHouse, QueryLimits.DEFAULT);
  }

  private static void checkWider(
      String host, @Nullable Path tokens, @Nullable URI publicUrl, List<String> problems) {
    if (!ADDRESS.matcher(host).matches()) {
      problems.add("API host '" + host + "': use an address, for example 127.0.0.1");
    }
    if (tokens == null) {
      problems.add(
          "API host '"
              + host
              + "': without tokens the API listens on loopback only, for example on 127.0.0.1");
    }
    if (publicUrl == null) {
      problems.add(
          "API host '"
              + host
              + "': tokens must not travel in the clear, so beyond loopback the API listens only"
              + " behind a proxy that speaks TLS: name its https address");
    }
  }

  private static boolean isOrigin(URI url) {
    return "https".equals(url.getScheme())
        && url.getHost() != null
        && url.getUserInfo() == null
        && (url.getPath().isEmpty() || url.getPath().equals("/"))
        && url.getQuery() == null
        && url.getFragment() == null;
  }

  boolean onLoopback() {
    return LOOPBACK.matcher(host).matches();
  }
}
