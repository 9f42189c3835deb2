package org.capacityobservatory.streams.writer;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.capacityobservatory.sql.ClickHouseHttp;

/**
 * The ids of the topics that a database was filled from. A topic made anew under an old name counts
 * its offsets anew, and nothing that the tables hold of offsets would be true of it.
 */
final class TopicIds {
  private TopicIds() {}

  /**
   * The topics' ids as Kafka has them, each the one that the database knows, which learns new ones.
   *
   * @throws WriterException when a topic is missing, or isn't the one that the database knows
   */
  static Map<String, String> check(Admin admin, ClickHouseHttp clickHouse, List<String> topics) {
    Map<String, String> now = describe(admin, topics);
    Map<String, String> known = known(clickHouse);
    now.forEach(
        (topic, id) -> {
          String before = known.get(topic);
          if (before == null) {
            remember(clickHouse, topic, id);
          } else if (!before.equals(id)) {
            throw madeAnew(topic, before, id);
          }
        });
    return now;
  }

  static WriterException madeAnew(String topic, String before, String now) {
    return new WriterException(
        "Topic %s was made anew: its id is %s and was %s when the database was filled from it. Write into a new --database"
            .formatted(topic, now, before));
  }

  private static Map<String, String> describe(Admin admin, List<String> topics) {
    Map<String, String> ids = new TreeMap<>();
    Map<String, Boolean> missing = new TreeMap<>();
    admin
        .describeTopics(topics)
        .topicNameValues()
        .forEach(
            (topic, description) -> {
              try {
                TopicDescription told = description.get();
                ids.put(topic, told.topicId().toString());
              } catch (ExecutionException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                  throw new KafkaException(e.getCause());
                }
                missing.put(topic, true);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new KafkaException(e);
              }
            });
    if (!missing.isEmpty()) {
      throw new WriterException(
          "Kafka lacks the topics "
              + String.join(", ", missing.keySet())
              + ": create them with ./capacity topics");
    }
    return ids;
  }

  private static Map<String, String> known(ClickHouseHttp clickHouse) {
    return clickHouse
        .execute("SELECT topic, topic_id FROM kafka_topics FINAL FORMAT TabSeparated")
        .lines()
        .map(line -> line.split("\t", -1))
        .collect(Collectors.toMap(row -> row[0], row -> row[1], (a, b) -> b, HashMap::new));
  }

  private static void remember(ClickHouseHttp clickHouse, String topic, String id) {
    byte[] row = "{\"topic\":\"%s\",\"topic_id\":\"%s\"}\n".formatted(topic, id).getBytes(UTF_8);
    clickHouse.insertBlock("kafka_topics", List.of(row), 1, topic + ":" + id);
  }
}
