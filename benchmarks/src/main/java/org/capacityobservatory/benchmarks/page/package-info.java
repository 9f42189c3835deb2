/** Measures the page and the API under it. */
@NullMarked
package org.capacityobservatory.benchmarks.page;

import org.jspecify.annotations.NullMarked;
