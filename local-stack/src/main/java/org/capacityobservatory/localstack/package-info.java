/**
 * A real Kafka and a real ClickHouse engine on loopback, without Docker, for laptops, demos and
 * tests. Each server runs in a JVM of its own, and so does anything else started with {@link
 * org.capacityobservatory.localstack.ChildProcess}. The package knows no application.
 */
@NullMarked
package org.capacityobservatory.localstack;

import org.jspecify.annotations.NullMarked;
