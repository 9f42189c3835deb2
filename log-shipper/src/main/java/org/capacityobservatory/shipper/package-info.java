/**
 * Reads lines from files and other sources and puts each into Kafka once, with positions and books.
 */
@NullMarked
package org.capacityobservatory.shipper;

import org.jspecify.annotations.NullMarked;
