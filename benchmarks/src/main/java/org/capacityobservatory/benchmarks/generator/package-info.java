/** Fills a database with calls and their minutes, without the path, for what reads them. */
@NullMarked
package org.capacityobservatory.benchmarks.generator;

import org.jspecify.annotations.NullMarked;
