package org.capacityobservatory.shipper;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Map;

/** The part of {@link PositionCodec} that is about sources that are no files: format version 3. */
final class FeedCodec {
  static final int VERSION = 3;

  /** Where a key has a file's generation: feeds have one record each. */
  static final long KEY_NUMBER = 0;

  private FeedCodec() {}

  static void write(JsonGenerator json, FeedRecord at) throws IOException {
    json.writeNumberField("v", VERSION);
    json.writeStringField("kind", at.kind().wireName());
    json.writeNumberField("run", at.run());
    json.writeNumberField("position", at.position());
    json.writeStringField("resume", at.resume());
    json.writeStringField("seen", at.seen());
    json.writeBooleanField("ended", at.ended());
    PositionCodec.writeBooks(json, at.books());
    Long clockMillis = at.clockMillis();
    if (clockMillis != null) {
      json.writeNumberField("clock", clockMillis);
    }
  }

  static FeedRecord record(String source, Map<String, Object> top) throws IOException {
    FeedRecord.Kind kind = kind(PositionCodec.field(top, "kind", String.class));
    String resume = PositionCodec.field(top, "resume", String.class);
    String seen = PositionCodec.field(top, "seen", String.class);
    check(kind, resume, seen);
    return new FeedRecord(
        source,
        kind,
        PositionCodec.number(top, "run"),
        PositionCodec.number(top, "position"),
        resume,
        seen,
        PositionCodec.field(top, "ended", Boolean.class),
        PositionCodec.books(top),
        top.containsKey("clock") ? PositionCodec.number(top, "clock") : null);
  }

  /** What can't be gone on from is refused here, where its place is known. */
  private static void check(FeedRecord.Kind kind, String resume, String seen) throws IOException {
    try {
      if (kind == FeedRecord.Kind.CLOUDWATCH) {
        long unused = Long.parseLong(resume);
        CloudWatchLedger.decoded(seen);
      } else {
        EntryHashes.decoded(seen);
      }
    } catch (IllegalArgumentException e) {
      throw new IOException("its fields resume and seen can't be read: " + e.getMessage(), e);
    }
  }

  private static FeedRecord.Kind kind(String name) throws IOException {
    for (FeedRecord.Kind kind : FeedRecord.Kind.values()) {
      if (kind.wireName().equals(name)) {
        return kind;
      }
    }
    throw new IOException("its kind is " + name + ", which this shipper doesn't know");
  }
}
