/** Measures the Streams job beside its peers. */
@NullMarked
package org.capacityobservatory.streams;

import org.jspecify.annotations.NullMarked;
