package org.capacityobservatory.sql;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Where ClickHouse is, and as whom to speak to it.
 *
 * @param url the HTTP endpoint, for example {@code http://127.0.0.1:8123}
 * @param user the ClickHouse user
 * @param password its password, may be empty; never printed
 * @param database the database that holds the observatory's tables
 */
public record ClickHouseConfig(URI url, String user, String password, String database) {
  /** The database's usual name. */
  public static final String DEFAULT_DATABASE = "capacity";

  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,63}");

  /**
   * Checks all values.
   *
   * @throws IllegalArgumentException naming every value that is wrong
   */
  public ClickHouseConfig {
    List<String> problems = new ArrayList<>();
    String scheme = url.getScheme();
    if (!("http".equals(scheme) || "https".equals(scheme)) || url.getHost() == null) {
      problems.add("ClickHouse URL '" + url + "': write it as http://HOST:PORT");
    } else if (url.getRawUserInfo() != null || url.getRawQuery() != null) {
      problems.add("ClickHouse URL: user, password and parameters have flags of their own");
    }
    if (user.isBlank()) {
      problems.add("ClickHouse user is empty");
    }
    if (!IDENTIFIER.matcher(database).matches()) {
      problems.add("ClickHouse database '" + database + "': letters, digits and _ only");
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", problems));
    }
  }

  @Override
  public String toString() {
    return url + " as " + user + ", database " + database;
  }
}
