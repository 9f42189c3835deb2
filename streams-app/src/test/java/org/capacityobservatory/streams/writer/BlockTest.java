package org.capacityobservatory.streams.writer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.capacityobservatory.log.Topics;
import org.capacityobservatory.sql.TableColumns;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BlockTest {
  /** 2026-11-30T23:59:59.999Z and one millisecond later. */
  private static final long LAST_OF_NOVEMBER = 1_796_083_199_999L;

  private static final Map<String, String> COLUMNS =
      Map.of(
          "event_id", "String",
          "ended_at", "DateTime64(3, 'UTC')",
          "minute", "DateTime('UTC')",
          "published_at", "DateTime64(3, 'UTC')",
          "lines_partition", "UInt32",
          "calls", "UInt64",
          "kafka_topic", "LowCardinality(String)",
          "kafka_partition", "UInt32",
          "kafka_offset", "UInt64");

  private static List<Block> blocks(List<ConsumerRecord<byte[], byte[]>> range) {
    return Block.of(range, table -> new TableColumns(table.tableName(), COLUMNS));
  }

  @Test
  void aBlockHoldsOneTablePartitionAndItsTokenSaysWhich() {
    List<Block> blocks =
        blocks(
            List.of(
                call(7, LAST_OF_NOVEMBER),
                call(8, LAST_OF_NOVEMBER + 1),
                call(11, LAST_OF_NOVEMBER - 1)));

    assertThat(blocks.stream().map(Block::token))
        .containsExactly(
            "ocl.capacity.calls:3:7-11:calls:20261130", "ocl.capacity.calls:3:7-11:calls:20261201");
    assertThat(blocks.stream().map(block -> block.rows().rows())).containsExactly(2, 1);
  }

  @Test
  void theHeaderNamesTheTableOfACell() {
    ConsumerRecord<byte[], byte[]> cell =
        record(Topics.METRICS, 0, "{\"minute\":1796083140,\"calls\":2}", "decisions_minute");

    List<Block> blocks = blocks(List.of(cell));

    assertThat(blocks.get(0).table()).isEqualTo(Table.DECISIONS_MINUTE);
    assertThat(blocks.get(0).token())
        .isEqualTo("ocl.capacity.metrics:3:0-0:decisions_minute:202611");
  }

  @Test
  void whatSaysThatMinutesAreCompleteIsStoredAfterThem() {
    String state = "{\"lines_partition\":0,\"published_at\":1796083140000}";
    String cell = "{\"minute\":1796083140,\"calls\":2}";

    List<Block> blocks =
        blocks(
            List.of(
                record(Topics.METRICS, 1, state, "minutes_state"),
                record(Topics.METRICS, 2, cell, "decisions_minute"),
                record(Topics.METRICS, 3, cell, "lanes_minute"),
                record(Topics.METRICS, 4, state, "minutes_state")));

    assertThat(blocks.stream().map(Block::table))
        .containsExactly(Table.DECISIONS_MINUTE, Table.LANES_MINUTE, Table.MINUTES_STATE);
  }

  @Test
  void whatIsNoRowStopsTheWriterWithItsPlace() {
    assertThatThrownBy(() -> blocks(List.of(record(Topics.CALLS, 5, "nonsense", null))))
        .isInstanceOf(BadRowException.class)
        .hasMessageContaining("ocl.capacity.calls, partition 3, offset 5");
    assertThatThrownBy(() -> blocks(List.of(record(Topics.CALLS, 5, "{\"a\":1}", null))))
        .hasMessageContaining("it has no ended_at");
    assertThatThrownBy(
            () ->
                blocks(
                    List.of(
                        record(Topics.METRICS, 5, "{\"minute\":1,\"calls\":-2}", "lanes_minute"))))
        .isInstanceOf(BadRowException.class)
        .hasMessageContaining("ocl.capacity.metrics, partition 3, offset 5")
        .hasMessageContaining("calls is no UInt64: -2");
    assertThatThrownBy(() -> blocks(List.of(record(Topics.METRICS, 5, "{\"minute\":1}", "users"))))
        .hasMessageContaining("header table is 'users'");
  }

  private static ConsumerRecord<byte[], byte[]> call(long offset, long endedAt) {
    return record(
        Topics.CALLS, offset, "{\"event_id\":\"x\",\"ended_at\":%d}".formatted(endedAt), null);
  }

  private static ConsumerRecord<byte[], byte[]> record(
      String topic, long offset, String row, @Nullable String table) {
    RecordHeaders headers = new RecordHeaders();
    if (table != null) {
      headers.add("table", table.getBytes(UTF_8));
    }
    return new ConsumerRecord<>(
        topic,
        3,
        offset,
        0,
        TimestampType.CREATE_TIME,
        0,
        0,
        new byte[0],
        row.getBytes(UTF_8),
        headers,
        Optional.empty());
  }
}
