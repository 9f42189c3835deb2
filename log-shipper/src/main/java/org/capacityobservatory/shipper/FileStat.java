package org.capacityobservatory.shipper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Objects;

/**
 * What the file system says of a path, links followed.
 *
 * @param changed last modification; only ever compared for change
 */
record FileStat(FileId id, long size, FileTime changed, boolean regular, boolean directory) {

  /**
   * Asks the file system.
   *
   * @throws IOException if there is no such file or it can't be asked
   */
  static FileStat of(Path path) throws IOException {
    Map<String, Object> all =
        Files.readAttributes(path, "unix:dev,ino,size,lastModifiedTime,isRegularFile,isDirectory");
    return new FileStat(
        new FileId(number(all, "dev"), number(all, "ino")),
        number(all, "size"),
        (FileTime) Objects.requireNonNull(all.get("lastModifiedTime")),
        Boolean.TRUE.equals(all.get("isRegularFile")),
        Boolean.TRUE.equals(all.get("isDirectory")));
  }

  private static long number(Map<String, Object> attributes, String name) {
    return ((Number) Objects.requireNonNull(attributes.get(name))).longValue();
  }
}
