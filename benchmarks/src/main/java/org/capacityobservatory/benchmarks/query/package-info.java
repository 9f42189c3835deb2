/** Measures the queries behind the page. */
@NullMarked
package org.capacityobservatory.benchmarks.query;

import org.jspecify.annotations.NullMarked;
