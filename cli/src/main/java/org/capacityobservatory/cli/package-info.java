/**
 * The one command, {@code capacity}: its subcommands, and the wiring and supervision of processes.
 */
@NullMarked
package org.capacityobservatory.cli;

import org.jspecify.annotations.NullMarked;
