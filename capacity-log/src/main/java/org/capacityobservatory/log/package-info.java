/** The line that the limiter writes: its records, its codec, its envelopes and its lanes. */
@NullMarked
package org.capacityobservatory.log;

import org.jspecify.annotations.NullMarked;
