/** ClickHouse: where it is, its migrations, its named queries, and the insertion of blocks. */
@NullMarked
package org.capacityobservatory.sql;

import org.jspecify.annotations.NullMarked;
