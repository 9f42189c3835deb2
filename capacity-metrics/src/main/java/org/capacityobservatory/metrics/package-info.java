/** Pure arithmetic on calls: the cells they count in, histogram buckets and percentiles. */
@NullMarked
package org.capacityobservatory.metrics;

import org.jspecify.annotations.NullMarked;
