package org.capacityobservatory.benchmarks.generator;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Random;

/** Lines of gated calls as the limiter writes them. */
public final class CallLines {
  private CallLines() {}

  /** The next line, without its end: about 590 bytes. */
  public static byte[] next(Random random) {
    boolean full = random.nextInt(4) != 0;
    boolean knn = random.nextInt(4) != 0;
    String[] tiers = {"staff", "core", "early_access", "preview"};
    String[] sources = {"automatch", "mapper-row", "tbv3"};
    return ("{\"event\":\"ocl_capacity\",\"decision\":\"%s\",\"mode\":\"shadow\",\"enforced\":false,"
            + "\"endpoint\":\"%s\",\"semantic\":%b,\"reranker\":false,\"rows\":25,\"single_row\":%b,"
            + "\"tier\":\"%s\",\"user_id\":%d%s,\"in_flight\":%d,\"limit\":3,\"task_in_flight\":%d,"
            + "\"task_limit\":2,%s\"tier_in_flight\":%d,\"tier_limit\":4,\"user_in_flight\":1,"
            + "\"user_limit\":3,\"suggested\":1,%s\"held_ms\":%d,\"queue_ms\":%d,\"task\":\"api-task-%s\","
            + "\"request_source\":\"%s\",\"algorithm_id\":\"ocl-semantic\",\"automatch_run_id\":\"%d\","
            + "\"cid\":\"%016x%016x\"}")
        .formatted(
            full ? "shadow-refused" : "admitted",
            knn ? "$match" : "$rerank",
            knn,
            random.nextBoolean(),
            tiers[random.nextInt(4)],
            random.nextInt(30_000),
            full ? ",\"scope\":\"api_heavy\",\"full\":[\"api_heavy\",\"tier\"]" : "",
            random.nextInt(8),
            random.nextInt(4),
            knn ? "\"es2_knn_in_flight\":2,\"es2_knn_limit\":3," : "",
            random.nextInt(6),
            full ? "\"retry_after\":5," : "",
            200 + random.nextInt(8_000),
            random.nextInt(3_000),
            random.nextBoolean() ? "a" : "b",
            sources[random.nextInt(3)],
            random.nextInt(2_000),
            random.nextLong(),
            random.nextLong())
        .getBytes(UTF_8);
  }
}
