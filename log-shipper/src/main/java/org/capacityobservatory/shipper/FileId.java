package org.capacityobservatory.shipper;

/** Which file on this machine, as long as it exists: afterwards its inode may be another's. */
record FileId(long device, long inode) {}
