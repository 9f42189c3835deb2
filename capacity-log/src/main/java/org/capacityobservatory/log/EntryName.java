package org.capacityobservatory.log;

/**
 * What a log transport calls one of its entries.
 *
 * @param transport {@link #JOURNALD} or {@link #CLOUDWATCH}
 * @param name journald's cursor, CloudWatch's event id
 */
public record EntryName(String transport, String name) {
  /** systemd's journal: an entry's name is its {@code __CURSOR}. */
  public static final String JOURNALD = "journald";

  /** Amazon CloudWatch Logs: an entry's name is its event id. */
  public static final String CLOUDWATCH = "cloudwatch";
}
