/** The writer: from the topics of rows into ClickHouse, in blocks that are proven stored. */
@NullMarked
package org.capacityobservatory.streams.writer;

import org.jspecify.annotations.NullMarked;
